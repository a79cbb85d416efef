"""The OpenAPI document: what every route takes and answers, in words and with examples."""
