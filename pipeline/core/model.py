"""The base of every document type: frozen, strict, no unknown keys."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class Document(BaseModel):
    """A frozen pydantic model that refuses unknown keys, wrong types, NaN and infinity."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


Cell = tuple[Annotated[int, Field(ge=0, le=63)], Annotated[int, Field(ge=0, le=63)]]
"""[row, col], 0-based from the top-left."""

Name = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_-]+$")]
"""An id of a piece."""

ColorName = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[a-z0-9][a-z0-9_-]*$")]
"""A lower-case colour identifier."""
