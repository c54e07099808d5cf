"""Names that people may try, and what they are called here."""

from __future__ import annotations

# What ARX, sdcMicro, anjana, pycanon and earlier habits call the same thing.
ALIASES: dict[str, str] = {
    "quasi_ident": "quasi_identifiers",
    "quasi_identifier": "quasi_identifiers",
    "keyVars": "quasi_identifiers",
    "key_vars": "quasi_identifiers",
    "quasi": "quasi_identifiers",
    "ident": "identifiers",
    "identifier": "identifiers",
    "id": "identifiers",
    "sens_att": "sensitive",
    "sensitive_attributes": "sensitive",
    "supp_level": "suppress",
    "suppression_limit": "suppress",
    "max_suppression": "suppress",
    "hierarchy": "hierarchies",
    "l": "l_diversity",
    "t": "t_closeness",
    "random_state": "seed",
    "n_jobs": "threads",
    "dtypes": "type",
    "types": "type",
}
