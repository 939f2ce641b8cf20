"""The sentences of the floors below (reasons, warnings, stages, refusals) in the page's languages.

Those floors speak English. A row here is the form of such a sentence and what it becomes; a sentence
without a row stays as it is. Animal and terrain names in a sentence are translated by the page's own words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from webapp.words import TABLES

Row = tuple[str, str]

_GAME_NAMES = ("bear", "elk", "salmon", "hawk", "fox", "mountain", "forest", "prairie", "wetland", "river")
_NAME = re.compile(rf"\b({'|'.join(_GAME_NAMES)})\b")

_KOREAN_REASONS: Sequence[Row] = (
    (r"(\d+) pairs?", "둘씩 짝 {0}쌍"),
    (r"group of (\d+)", "무리 {0}마리"),
    (r"group of (\d+): card A counts pairs only", "무리 {0}마리: A 카드는 둘씩만 셉니다"),
    (r"group of (\d+): card B counts groups of exactly 3", "무리 {0}마리: B 카드는 정확히 3마리만 셉니다"),
    (r"group of (\d+): card C counts groups of 1 to 3", "무리 {0}마리: C 카드는 1~3마리만 셉니다"),
    (r"group of (\d+): card D counts groups of 2 to 4", "무리 {0}마리: D 카드는 2~4마리만 셉니다"),
    (r"group of (\d+): too small for this variant", "무리 {0}마리: 이 변형에서는 너무 작습니다"),
    (r"groups of 1, 2 and 3 all occur", "1, 2, 3마리 무리가 모두 있음"),
    (r"elk alone", "엘크 한 마리"),
    (r"two touching", "붙어 있는 둘"),
    (r"triangle", "삼각형"),
    (r"rhombus", "마름모"),
    (r"line of (\d+)", "직선 {0}마리"),
    (r"herd of (\d+)", "떼 {0}마리"),
    (r"(\d+) of one ring", "한 고리 위에 {0}마리"),
    (r"run of (\d+)", "줄기 {0}마리"),
    (r"run of (\d+): too short for this card", "줄기 {0}마리: 이 카드에는 너무 짧습니다"),
    (r"run of (\d+): card D needs (\d+)", "줄기 {0}마리: D 카드는 {1}마리부터"),
    (r"run of (\d+) with (\d+) other animals? beside it", "줄기 {0}마리, 옆에 다른 동물 {1}마리"),
    (r"no run: .*", "줄기가 아님: 연어 한 마리에 셋 이상 붙어 있습니다"),
    (r".* and is left out", "셋 이상 붙은 연어라서 뺍니다"),
    (r"touches another hawk", "다른 매와 붙어 있음"),
    (r"(\d+) hawks? that touch(?:es)? no other", "서로 떨어진 매 {0}마리"),
    (r"(\d+) hawks? that touch no other and see one", "떨어져 있고 다른 매가 보이는 매 {0}마리"),
    (r"sees no hawk", "보이는 매가 없음"),
    (
        r"the only hawk apart that sees a hawk: card B needs two",
        "떨어져서 매를 보는 매가 한 마리뿐: B 카드는 둘부터",
    ),
    (r"line of sight", "시야 한 줄"),
    (r"has no line of sight to a hawk", "다른 매와 시야가 없음"),
    (r"pair with (.+) between", "사이에 {0} 있는 한 쌍"),
    (r"in no pair with another animal between", "사이에 다른 동물이 있는 짝이 없음"),
    (r"nobody beside it", "옆에 아무도 없음"),
    (r"two or more (.+)", "둘 이상: {0}"),
    (r"no other animal stands twice beside it", "옆에 둘 이상인 동물이 없음"),
    (r"no other animal beside it", "옆에 다른 동물이 없음"),
    (r"(\d+) (.+) beside it", "옆에 {1} {0}마리"),
    (r"pair with two or more (.+)", "둘 이상 둘러싼 한 쌍: {0}"),
    (r"in no pair with an animal twice round it", "둘 이상 둘러싼 짝이 없음"),
    (r"(.+) beside it", "옆에 {0}"),
)

_KOREAN_WARNINGS: Sequence[Row] = (
    (
        r"the tiles are only (\d+) pixels wide: .*",
        "타일 너비가 {0}픽셀뿐입니다: 잘못 읽혔으면 더 가까이서 찍어 주세요",
    ),
    (
        r"the environment reaches the edge of the photo: .*",
        "환경이 사진 가장자리에 닿습니다: 그 밖의 타일은 빠져 있습니다",
    ),
    (r"the photo is black and white: .*", "흑백 사진입니다: 지형은 색으로 구별하니 컬러로 찍어 주세요"),
    (r"(\d+) tiles?: a full environment has (\d+)", "타일 {0}개: 완성된 환경은 {1}개입니다"),
    (r"(\d+) tokens: a full environment has at most (\d+)", "토큰 {0}개: 완성된 환경에는 많아야 {1}개입니다"),
    (r"(\d+) nature tokens: the box holds (\d+)", "자연 토큰 {0}개: 상자에는 {1}개뿐입니다"),
    (r"(\d+) (\w+) tokens: the box holds (\d+)", "{1} 토큰 {0}개: 상자에는 {2}개뿐입니다"),
    (r"(\d+) tiles? lies? apart from the rest", "타일 {0}개가 떨어져 있습니다"),
    (r"(?:a|an) (.+) stands on a tile that shows (.+)", "{1} 타일 위에 {0} 토큰이 있습니다"),
    (r"no (.+) tile with .+ in the box shows (?:a|an) (.+)", "{1} 그림의 {0} 타일은 상자에 없습니다"),
    (r"no (.+) tile in the box shows (?:a|an) (.+)", "{1} 그림의 {0} 타일은 상자에 없습니다"),
    (r"a keystone tile has one terrain, this one has two", "핵심종 타일인데 지형이 두 가지입니다"),
    (
        r"every tile of one terrain in the box is a keystone tile",
        "지형이 하나인 타일은 모두 핵심종 타일이어야 합니다",
    ),
    (r"(\d+) (.+) tiles?: the box has (\d+) for one player", "{1} 타일 {0}개: 상자에는 {2}개뿐입니다"),
)

_KOREAN_STAGES: Sequence[Row] = (
    (r"Opening the photo", "사진을 여는 중"),
    (r"Looking for tiles", "타일을 찾는 중"),
    (r"Laying the grid", "격자를 맞추는 중"),
    (r"Reading the tiles", "타일을 읽는 중"),
    (r"Weighing it all together", "전체를 맞춰 보는 중"),
)

_KOREAN_REFUSALS: Sequence[Row] = (
    (r"'(.+)' is empty: .*", "{0}: 빈 파일입니다. 사진을 다시 보내 주세요."),
    (
        r"'(.+)' has more than (\d+) megabytes: .*",
        "{0}: {1} MB를 넘습니다. JPEG로 저장해서 다시 보내 주세요.",
    ),
    (
        r"'(.+)' has more than (\d+) megapixels: .*",
        "{0}: {1} 메가픽셀을 넘습니다. 더 낮은 해상도로 찍어 주세요.",
    ),
    (r"'(.+)' has only (\d+) x (\d+) pixels: .*", "{0}: {1} x {2} 픽셀뿐입니다. 더 큰 사진을 써 주세요."),
    (r"'(.+)' is cut off before its end: .*", "{0}: 파일이 중간에 잘렸습니다. 다시 보내 주세요."),
    (r"'(.+)' is damaged .*", "{0}: 파일이 손상되었습니다. 다시 보내거나 새로 찍어 주세요."),
    (r"'(.+)' is not a picture .*", "{0}: 열 수 있는 사진이 아닙니다. JPEG, PNG, WebP 사진을 써 주세요."),
    (
        r"'(.+)' shows no environment .*",
        "{0}: 환경이 보이지 않습니다. 맞닿은 타일이 5개 이상 있어야 합니다. "
        "위에서 모든 타일이 나오게 찍어 주세요.",
    ),
    (
        r"'(.+)' needs more memory .*",
        "{0}: 메모리가 부족합니다. 더 작게 저장해서 다시 보내 주세요.",
    ),
    (
        r"'(.+)' is an unusual JPEG .*",
        "{0}: 여는 데 너무 오래 걸리는 JPEG입니다. JPEG로 다시 저장해서 보내 주세요.",
    ),
    (
        r"'(.+)' is a HEIC photo, .*",
        "{0}: HEIC 사진은 이 서버에서 열 수 없습니다. 카메라를 JPEG로 설정해 주세요.",
    ),
)

_ROWS = {
    "reason": {"ko": _KOREAN_REASONS},
    "warning": {"ko": _KOREAN_WARNINGS},
    "stage": {"ko": _KOREAN_STAGES},
    "refusal": {"ko": _KOREAN_REFUSALS},
}

_COORDINATES = re.compile(r"\(-?\d+, -?\d+\) sees \(-?\d+, -?\d+\)")


def reason_in(language: str, reason: str) -> str:
    """Why a group earned its points. Cells are lit on the board, so their coordinates are not spelt out."""
    return _translated("reason", language, _COORDINATES.sub("line of sight", reason))


def warning_in(language: str, warning: str) -> str:
    """What is unusual about an environment."""
    return _translated("warning", language, warning)


def stage_in(language: str, stage: str) -> str:
    """What the reader is doing."""
    return _translated("stage", language, stage)


def refusal_in(language: str, sentence: str) -> str:
    """Why a photo cannot be used."""
    return _translated("refusal", language, sentence)


def _translated(kind: str, language: str, sentence: str) -> str:
    for form, text in _ROWS[kind].get(language, ()):
        match = re.fullmatch(form, sentence)
        if match:
            return text.format(*(_names_in(language, part) for part in match.groups()))
    return sentence


def _names_in(language: str, part: str) -> str:
    """A part of a sentence with the game's names translated, and the little words between them dropped."""
    if not _NAME.search(part):
        return part
    translated = _NAME.sub(lambda match: TABLES[language][match.group(1)], part)
    return re.sub(r"\s+(?:and|or)\s+", ", ", translated)
