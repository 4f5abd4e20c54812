"""System level: human scores of systems, mean scores of systems, and their comparison."""
