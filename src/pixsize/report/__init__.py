"""Plan, figures and findings as text, Markdown, JSON, YAML, JSON Schemas and explanation trees. Values in, text out."""
