"""What ends a command early."""


class UserError(Exception):
    """Something the user can mend; the message is one sentence, printed without a traceback (status 2)."""
