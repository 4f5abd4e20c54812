"""What a user calls with files, arrays or data frames: `evaluate`, `score`, `compare`."""
