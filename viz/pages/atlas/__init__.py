"""Atlas: what does each head do?"""
