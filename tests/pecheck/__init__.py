"""What several tests of this room use; each property test draws the same every time."""

from hypothesis import settings
from hypothesis import strategies as st

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("repeatable")

bases = st.floats(2, 1e6)

LLAMA = {
    "model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 500000.0,
    "num_hidden_layers": 32, "max_position_embeddings": 4096,
}  # fmt: skip
YARN = {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}
NEW = {**LLAMA, "model_type": "new"}  # of which no code is known: any key may count
KIMI = {
    "model_type": "kimi_k2", "hidden_size": 7168, "num_attention_heads": 64,
    "num_hidden_layers": 61, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
    "max_position_embeddings": 131072, "rope_theta": 50000.0,
    "rope_scaling": {"beta_fast": 1.0, "beta_slow": 1.0, "factor": 32.0, "mscale": 1.0,
                     "mscale_all_dim": 1.0, "original_max_position_embeddings": 4096,
                     "type": "yarn"},
}  # fmt: skip
