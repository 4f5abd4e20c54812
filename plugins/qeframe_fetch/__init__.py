"""Downloads of the published files of shared tasks: resumed, checked, unpacked.

It brings the command ``fetch`` only. Where files are published is stated by data sources, which other plugins bring.
"""
