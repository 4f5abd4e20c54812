"""How many units would tell submissions apart: curves from the jackknife error, checked in draws of other sizes."""
