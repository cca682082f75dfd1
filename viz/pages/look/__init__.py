"""Look: where does each word look?"""

from viz.pages.look.comparison import Comparison
from viz.state.page import Page

PAGE = Page("look", Comparison, steps="head", heads=True)
