"""Small readers of the rendered files, written from the vendors' grammars and blind to the renderers."""
