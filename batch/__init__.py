"""Many deals into Parquet files: shards, the workers that answer them, and reports on the rows."""
