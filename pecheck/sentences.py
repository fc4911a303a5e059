"""What `examine` can say, each sentence once, with its values in braces; a list to be judged.

A problem is wrong in itself or against what was expected; the rest are findings.
"""

from pecheck.identity.naming import SUMMARIES
from pecheck.variants import VARIANTS

HEADLINES = {
    "right": "no mistake is seen",
    "conventions": "these are its conventions: compare them with your config",
}
PROBLEMS = {
    "not finite": "the result is zero, or not finite",
    "no vectors": "the scores do not depend on the vectors",
    "no effect": "no position has an effect: all are turned alike, or not at all",
    "multiplied": "columns are multiplied and not turned: norms are not kept",
    "unused": "columns {} of the vectors do not enter at position 0: a part of x is not used",
    "one way": "columns {} do not enter the other column of their pair: a part of x is not used",
    "mixed": "more than two columns are mixed: no pairs, or queries and keys in different layouts "
    "(huggingface/transformers#40462)",
    "scale": "vectors are multiplied by {:.4g}, not {:.4g}",
    "temperature twice": "the temperature of YaRN is there twice: times {:.4g}, once is {:.4g} "
    "(NVIDIA/TensorRT-LLM#16379)",
    "layout": "pairs are {}, not {}: turn these, or reorder the weights "
    "(huggingface/transformers#25199)",
    "made for halves": "angles are laid out for halves, cat(freqs, freqs), and neighbors are "
    "turned (huggingface/transformers#40462)",
    "made for neighbors": "angles are laid out for neighbors, repeat_interleave, and halves are "
    "turned (huggingface/transformers#40462)",
    "two angles": "the two columns of a pair are turned by different angles",
    "norms": "norms are not kept: a cosine and a sine are not of one angle",
    "backward": "pairs turn the other way: a sine has lost its sign (karpathy/nanochat#489)",
    "sticks": "the result depends on what was called before: near positions come out otherwise "
    "after far ones",
    "stale": "the result depends on what was called before: a stored table is stale",
    "added": "a table is added, which is not made of the vectors: examine reads what turns them",
    "not linear": "twice the vector is not turned into twice the result",
    "texts": "equal texts of a batch are turned differently: wrong axis",
    "angles in 16 bits": "the angles are rounded to 16 bits: use float32",
    "unclear": "the angles are not proportional to the positions, from row {} on, position {:g}{}",
    "ignored": "the positions are ignored: row i is turned by i (right in one pass, wrong with "
    "a cache) (NVIDIA/Megatron-LM#453)",
    "stops": "positions stop at {}: farther ones count as {}, as where a cache or a table ends",
    "modulo": "positions are read modulo {}: a table of {} rows begins again "
    "(neuralmagic/sparseml#1826)",
    "restarts": "positions begin again at 0 every {} rows: each chunk forgets how many rows came "
    "before it (huggingface/transformers#43082)",
    "twice": "the offset of a chunk is counted twice: every {} rows the positions jump by as many",
    "restarts behind": "positions behind a prompt of {} rows begin again at 0",
    "late": "positions behind a prompt of {} rows are one too far: the cache is counted with the "
    "new key (fla-org/flash-linear-attention#766)",
    "of queries": "of the queries alone: {}",
    "of keys": "of the keys alone: {}",
    "keys not turned": "queries are turned and keys are not: scores depend on the query's place",
    "queries not turned": "keys are turned and queries are not: scores depend on the key's place",
    "against": "keys turn against the queries: scores depend on the sum of the positions",
    "keys twice": "keys are turned twice, as where turned keys are cached and turned again "
    "(huggingface/transformers#33691)",
    "queries twice": "queries are turned twice, keys once",
    "queries too far": "queries are one position too far (microsoft/onnxruntime-genai#2354)",
    "keys too far": "keys are one position too far",
    "config": "the frequencies are not those of the config",
    "base": "the base is {}, not {:,.0f}",
    "no rule": "no rule that is known makes these frequencies of base {:,.0f}",
    "times": "the frequencies are {:.4g} times those of base {:,.0f}",
    "degrees": "degrees are taken for radians, or radians for degrees: the frequencies are {:.4g} "
    "times those of base {:,.0f}",
    "no offset": "the bias is not a number for each offset, {}",
    "row 0": "every query counts as row 0: keys are counted from the first one, and far ones are "
    "preferred (Dao-AILab/flash-attention#907)",
    "one row": "the bias of query {} is not that of the others (Dao-AILab/flash-attention#907)",
    "shift": "keys one behind the query count as 0 behind: a shift that drops the last row, not "
    "the first (labmlai/annotated_deep_learning_paper_implementations#185)",
    "wrapped": "ahead of the query stand the numbers of far keys behind it: the shift wraps around",
    "sign": "the slopes have the wrong sign: far keys are preferred",
    "ahead preferred": "keys ahead are preferred: the offset has a sign where a distance belongs",
    "buckets": "buckets as T5's, but from distance {} on with other borders",
    "other heads": "{} slopes came where {} heads were asked for: {}",
    "rounded slopes": "the slopes are rounded to {} (Dao-AILab/flash-attention#845)",
}
FINDINGS = {
    "order": "columns come out in another order: harmless if queries and keys share it",
    "rotation": "{} of {} of {} columns, {} to {}",
    "no rotation": "no rotation: mixes {} of {} columns, {} to {}",
    "pairs": "pairs: {}",
    "times scale": "{}: times {:.4g} (1/√d is {:.4g})",
    "xpos": "pairs are also scaled with the offset, as xPos does",
    "heads": "heads differ: head {} is read here; not turned: {}",
    "length": "the frequencies depend on the farthest position of a call, as with dynamic scaling "
    "or LongRoPE; those below are of calls up to position {}. Up to {} they are: {}",
    "temperature": "for a factor of {:.4g} YaRN multiplies by {:.4g}",
    "positions": "positions: {}",
    "frequencies": "frequencies{}: {}",
    "axes": "positions have {} coordinates, {}: {}",
    "bias": "a bias for {} heads{}",
    "ahead": "keys ahead of the query: {}",
    "slopes": "slopes for {} heads: {}",
    "known slopes": "{}",
    "known buckets": "constant on T5's {} buckets up to {}, of {}",
    "other buckets": "constant on buckets of distances, not T5's: borders at {}",
    "distances": "a number for each distance: no slopes, and no buckets",
    "not read": "not read for {} heads: {}",
}
GALLERY = {  # mistakes that `identify` names, too
    name: f"{text} ({VARIANTS[name].reports[0]})"
    if name in VARIANTS and VARIANTS[name].reports
    else text
    for name, text in SUMMARIES.items()
}
SENTENCES = HEADLINES | PROBLEMS | FINDINGS | GALLERY
