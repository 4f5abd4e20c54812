"""Where units come from, chunk by chunk: lines of text, columns of Parquet, arrays."""
