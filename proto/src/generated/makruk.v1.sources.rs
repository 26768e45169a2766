&[
    ("makruk/v1/tablebase.proto", 0xa67b3f5a),
]
