"""The browser suite's back end: rules stay in Python; the page draws views and reports gestures."""
