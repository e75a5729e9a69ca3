"""The one error that is a person's to mend."""


class UserError(Exception):
    """Something the user gave us is wrong: a file, a key, a device, a missing extra.

    The message names what is wrong and what to do about it. The command line prints it without a
    traceback and exits with 2; anything else that escapes is our defect.
    """
