&[
    ("makruk/v1/tablebase.proto", 0x890f2c27),
]
