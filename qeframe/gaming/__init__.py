"""How far metrics can be gamed: golds to attack, honest answers, expected scores, the index, the audit."""
