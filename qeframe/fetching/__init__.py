"""Downloads of the published files of shared tasks.

`fetch` downloads the files of a `DataSource` into a folder of their own, by pooch, which is imported only then. What is
downloaded is checked before it is in that folder: digests, and the members of archives. The package below is
`qeframe.core.profiles`.
"""
