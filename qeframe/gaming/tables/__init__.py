"""The tables of an audit."""
