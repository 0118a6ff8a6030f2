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


@schemathesis.hook
def filter_body(context, body):
    """RFC 7578, 4.2: names of parts stand in header fields, which have no control characters (RFC 9110, 5.5)."""
    content = context.operation.definition.raw.get("requestBody", {}).get("content", {})
    if "multipart/form-data" not in content or not isinstance(body, dict):
        return True
    return not any(ord(character) < 32 or ord(character) == 127 for name in body for character in name)
