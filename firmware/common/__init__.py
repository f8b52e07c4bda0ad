"""Code that boards share, partly with the hub, in the Python that both understand."""
