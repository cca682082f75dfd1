"""Views of our own: small scripts that draw on a canvas or as SVG, without a build step or a download."""
