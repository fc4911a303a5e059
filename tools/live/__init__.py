"""The notebooks in the reader's browser: Python for WebAssembly, JupyterLite, live notebooks."""
