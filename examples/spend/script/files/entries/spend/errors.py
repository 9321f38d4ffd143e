class SpendError(Exception):
    """Something that the user can put right. Its message is shown as it is."""
