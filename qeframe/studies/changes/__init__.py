"""What changed between two results, and whether a submission became worse: what ``qeframe diff`` shows."""
