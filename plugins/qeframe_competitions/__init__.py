"""Shared tasks on a platform: a bundle for Codabench, and the program in it that scores one submission.

It brings the command ``bundle`` only. `codabench` makes the bundle and `scoring_program` runs where the platform runs
it. Both use `settings`, which says where the files of gold and submissions are, and `scoring`. A submission is a
stranger's: `submission_files` refuses links, and no message or page shows what the gold holds.
"""
