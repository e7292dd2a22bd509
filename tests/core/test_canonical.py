import pytest

from pipeline.core.canonical import canonical_bytes, digest_of, hex_of, readable_bytes


def test_canonical_form_is_that_of_rfc_8785() -> None:
    assert canonical_bytes({"b": 1.0, "a": ["é", 1e30, True, None]}) == '{"a":["é",1e+30,true,null],"b":1}'.encode()


def test_digest_ignores_order_and_number_form() -> None:
    assert digest_of({"a": 540, "b": 2}) == digest_of({"b": 2.0, "a": 540.0})


@pytest.mark.parametrize("text", ["", "sha256:", "sha256:xyz", "a" * 64, "sha256:" + "A" * 64])
def test_hex_of_takes_digests_only(text: str) -> None:
    with pytest.raises(ValueError, match="not a sha256 digest"):
        hex_of(text)


def test_readable_bytes_end_with_a_newline_and_keep_unicode() -> None:
    assert readable_bytes({"a": "é"}) == '{\n "a": "é"\n}\n'.encode()
