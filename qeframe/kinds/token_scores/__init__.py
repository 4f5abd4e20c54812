"""A gold tag of two classes and a number for each token."""
