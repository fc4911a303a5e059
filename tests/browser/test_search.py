"""What the search finds, and in which order."""

from itertools import chain
from urllib.parse import unquote

from ..browser_fixtures import HTML, READY, pages

# What a reader looks for, by what answers it.
ANSWERS = {
    "chapters/01-attention": ["position problem"],
    "chapters/04-sinusoid": ["frequencies", "sinusoid"],
    "chapters/05-translation": ["a translation matrix"],
    "chapters/09-skipping": ["NoPE"],
    "chapters/10-reach": ["extrapolation"],
    "chapters/11-relative": ["ALiBi", "the relative shift without a mask"],
    "chapters/12-rotary": ["RoPE", "rotary", "YaRN"],
    "chapters/13-debugging": ["angles made for the other layout", "bfloat16 position ids",
                              "left padding wrong tokens"],
    "chapters/14-axes": ["rope_deltas", "looping videos",
                         "resize position embeddings align_corners"],
    "chapters/15-config": ["inv_freq", "rope_theta", "proportional rope gemma 4 partial"],
    "chapters/16-running": [
        "sliding window ring buffer", "speculative decoding rejected tokens",
        "what to test before I trust speculative decoding?",
        "base change", "continuous batching", "chunked prefill", "cu_seqlens", "KV cache",
        "chunked prefill positions restart",
        "ring buffer", "sliding-window attention", "position_ids", "prefix cache",
        "sliding window", "speculative decoding", "gemma 3 sliding window cache eviction",
        "prefix cache system prompt changed one token"],
    "appendices/choosing": [
        "4k to 64k", "KV cache bytes per token", "mla tensor parallel kv cache",
        "deepseek mla kv cache size per token", "fp8 kv cache rope"],
    "appendices/extending": [
        "how do I extend a model from 32k to 128k?", "what to measure at 100k?", "YaRN in vLLM",
        "extend 4k to 32k", "vllm dynamic ntk", "llama.cpp caps extended context",
        "longrope short factor cache",
        "phi-4-mini gibberish after 4096 tokens short long factor cache",
        "vllm hf-overrides qwen3-vl yarn text_config rope_parameters ignored",
        "YaRN short requests", "extend an encoder", "vllm enable yarn qwen2.5 128k",
        "does YaRN hurt short prompts", "extend bert to 8192 tokens",
        "ModernBERT context extension", "bert position interpolation 8k",
        "max_seq_length sentence transformers", "needle", "switch YaRN off for short prompts",
        "--hf-overrides", "--max-model-len", "--rope-scaling", "max_position_embeddings"],
    "appendices/frameworks": [
        "QK norm before or after the rotation", "alibi flash attention", "gguf permute perplexity",
        "deepseek mla rope interleave", "packed ALiBi", "GGUF",
        "onnx export fixed length table", "inv_freq uninitialized memory", "rotate_half",
        "apply_rotary_pos_emb", "cos_cached", "freqs_cis", "view_as_complex", "is_neox_style",
        "KeyError: 'default' rope", "'Qwen2Config' object has no attribute 'rope_theta'",
        "index out of range in self", "max_model_len greater than derived", "flux kontext img_ids",
        "packing qwen vl position_ids cu_seqlens documents see each other", "TRL padding_free",
        "onnx RotaryEmbedding interleaved rotary_embedding_dim",
        "packing document mask position_ids", "tree attention speculative position ids",
        "right-padding was detected", "sliding window one too wide",
        "bf16 inv_freq long context bug", "TensorRT-LLM",
        "t5 relative position bias flash attention sdpa", "tensorrt mlx rope traditional",
        "meta llama checkpoint to huggingface wrong rope layout", "mlx-lm longrope",
        "expanded size of the tensor must match the existing size 512 bert",
        "flash_attn_varlen_func", "gpt-oss packing mask", "prefix cache lora images"],
    "appendices/config": ["rope_theta lost transformers version 4", "no_rope_layers"],
    "appendices/glossary": [
        "gemma rope_local_base_freq", "sparse indexer rope layout", "video timestamps fps mrope",
        "why does DeepSeek's latent not turn?",
        "block diffusion", "cross-attention", "indexer", "multi-token prediction", "TMRoPE",
        "context parallel rank position ids", "alibi slopes tensor parallel", "merge LoRA",
        "join kv cache chunks rag", "llama.cpp context shift", "eagle draft position off by one",
        "quantize keys before or after rope", "--rope-freq-base", "timestep order",
        "llama 4 attn_temperature_tuning", "yarn mscale applied twice",
        "speculative decoding draft model low acceptance mrope",
        "float32 angles at a million tokens",
        "llama.cpp context shift disabled qwen vl", "qwen use_sliding_window ignored",
        "cache_reuse is not supported by this context, it will be disabled",
        "deepseek v3.2 indexer rope interleaved wrong",
        "diffusers qwen image batch prompts different lengths txt_seq_lens",
        "reuse kv cache after edited prompt", "mrope position ids generate image tokens",
        "forcing full prompt re-processing due to lack of cache data",
        "qwen3-vl mrope decoding position wrong after image", "deepseek v4",
        "DroPE is served?", "FoPE", "ModernBERT", "PaTH", "PoPE", "rope_local_base_freq"],
}  # fmt: skip
FOUND = """() => [...document.querySelectorAll("#search-results li")].map(item => ({
  page: item.querySelector("a").getAttribute("href").replace(/#.*|^[./]+/g, ""),
  hash: decodeURIComponent(item.querySelector("a").href.replace(/[^#]*#/, "")),
  text: item.querySelector(".context").textContent,
}))"""


def search(page, words):
    page.locator(".bd-search-container input").fill(words)
    return page.evaluate(FOUND)


def test_words_lead_to_what_answers_them_and_names_to_their_entries(visit):
    page, log = visit("search.html")
    found = {words: search(page, words) for words in chain(*ANSWERS.values())}
    for name, all_words in ANSWERS.items():
        first = {words: found[words][0]["page"] for words in all_words}
        assert first == dict.fromkeys(all_words, f"{name}.html")
    for each in chain(*found.values()):
        assert each["hash"] in (HTML / each["page"]).read_text("utf8")
        assert each["text"]
    sections = {"base change": "when-ids", "needle": "does-it-work", "sliding window": "four-slots",
                "speculative decoding": "a-rejected", "does YaRN hurt short prompts": "what-short",
                "vllm enable yarn qwen2.5 128k": "yarn-in-vllm", "flash_attn_varlen_func": "a-pack",
                "extend bert to 8192 tokens": "encoders", "ModernBERT context extension": "enc",
                "bf16 inv_freq long context bug": "half-precision", "TensorRT": "an-export",
                "reuse kv cache after edited prompt": "term-prefix-cache",
                "mlx rope traditional offset": "mlx", "GroupQueryAttention": "an-export",
                "position_ids from attention mask padding side left": "which-positions",
                "DeepSeek qk_rope_head_dim which columns rotated": "term-decoupled",
                "mrope position ids generate image tokens": "term-rope_deltas",
                "t5 relative position bias flash attention sdpa": "t5s-bias"}  # fmt: skip
    for words, section in sections.items():
        assert search(page, words)[0]["hash"].startswith(section)
    for name in ("rotate", "translation_matrix"):
        entries = [found["hash"] for found in search(page, name) if "/api" in found["page"]]
        assert entries[0].endswith(f".{name}")
    named = [hit["page"] for hit in search(page, "BERT interpolate position embeddings press")]
    assert named.index("appendices/bibliography.html") > 0  # it names papers, and explains none
    assert search(page, "zyzzyva") == []
    assert page.get_by_role("status").inner_text() == "No passage has “zyzzyva”."
    nearest = search(page, "rotary zyzzyva")
    assert (nearest[0]["page"], len(nearest)) == ("chapters/12-rotary.html", 5)
    assert page.get_by_role("status").inner_text() == "No passage has “zyzzyva”."
    search(page, "ALiBi binary TMRoPE")
    assert page.get_by_role("status").inner_text() == "No passage has all of these words."
    assert log.troubles == []


# In a tab of its own, which lays out late what is far away, as for readers.
def test_a_click_on_the_first_hit_opens_the_section_it_names(new_tab, address):
    page = new_tab(own=address, viewport={"width": 1280, "height": 800})
    heading_is_seen = """(name) => {
      const place = document.getElementById(name);
      const { top, bottom } = (place.querySelector("h1, h2, h3") ?? place).getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight / 2;
    }"""
    for words in (
        "vllm yarn qwen2.5 128k context", "rope_deltas qwen2.5-vl", "onnx export rope",
        "llama weights to gguf permute q k", "system prompt edited kv cache reuse",
        "bfloat16 rope inv_freq precision", "sample packing cross-document attention mask",
        "generate batch size 1 vs batch 8 output differs", "which rope_theta for 64k context",
        "alibi flash attention", "mlx rope traditional offset", "prefix cache one token changed",
    ):  # fmt: skip
        page.goto(f"{address}/search.html")
        place = search(page, words)[0]["hash"]
        page.locator("#search-results li a").first.click()
        page.wait_for_url(lambda url, place=place: f"#{place}" in unquote(url))
        page.wait_for_function(READY)
        page.wait_for_function(heading_is_seen, arg=place, timeout=5000)


def test_the_dialog_answers_while_one_types_and_leads_to_all_results(visit):
    page, log = visit("chapters/07-learned.html")
    page.keyboard.press("Control+k")
    page.keyboard.type("10000")
    page.locator("#pst-search-dialog li a").first.wait_for()
    found = page.evaluate(FOUND)
    assert found[0]["page"] in ("chapters/04-sinusoid.html", "chapters/15-config.html")
    assert found[-1]["page"] == "appendices/api.html"  # that has no name of it
    assert not any("10000−" in each["text"] for each in found)  # a power in a line of text
    page.locator("#pst-search-dialog li a").first.click()
    page.wait_for_url(f"**/{found[0]['page']}#*")
    page.keyboard.press("Control+k")
    page.keyboard.type("frequency")
    page.keyboard.press("Enter")
    page.locator("#search-results li a").first.wait_for()
    assert page.url.endswith("search.html?q=frequency")
    assert log.troubles == []


def test_every_page_for_readers_is_searched(visit):
    page, _ = visit("search.html")
    listed = set(page.evaluate("Object.keys(PASSAGES)"))
    unread = {"404.html", "search.html", "genindex.html", "slides/index.html"}
    wanted = {name for name in pages() if not name.startswith("_modules/")} - unread
    assert wanted - listed == set()
