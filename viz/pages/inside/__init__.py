"""Inside: how does this number come about?"""
