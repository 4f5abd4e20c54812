"""What happens to the scores of two grids that swap items, cells or systems."""
