"""Takes from generated requests what says nothing of the application, as it cannot be sent."""

import schemathesis


def _written(values):
    """Whole numbers as JSON writes them everywhere else: Python writes 1.0."""
    is_whole = lambda value: isinstance(value, float) and value.is_integer()
    return {name: int(value) if is_whole(value) else value for name, value in (values or {}).items()}


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    return _written(path_parameters)


@schemathesis.hook
def map_query(context, query):
    return _written(query)


@schemathesis.hook
def filter_cookies(context, cookies):
    """RFC 6265, 4.1.1: a semicolon ends the cookie, and quotes are around all of its value."""
    return not any(set(';"') & set(str(value)) for value in (cookies or {}).values())
