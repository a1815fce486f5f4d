"""Compose: mail that is delivered within the request that hands it in.

inputs    the body
draft     what is sent, to whom, as which message
compose   the request, from its checks to its answer
delivery  its messages on their way
"""
