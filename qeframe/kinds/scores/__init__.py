"""Numbers: a gold number and a predicted number for each unit, or predicted values alone."""
