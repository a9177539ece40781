"""Makes the reference of the tests: tokens and vectors of all-MiniLM-L6-v2, computed with 64-bit floats.

    python3 -m pip install -r requirements.txt
    python3 make_reference.py FOLDER

FOLDER holds the published model (model.safetensors and tokenizer.json). The tokens are those of the library
`tokenizers`, which the model was published for. The vectors follow the definition of BERT. As a check, the
vector of one sentence was compared with that of onnxruntime and weights of 8 bits: cosine 0.9997.
"""

import json
import math
import sys
from pathlib import Path

import numpy
from safetensors.numpy import load_file
from tokenizers import Tokenizer

HERE = Path(__file__).parent
HEADS, LAYERS, EPSILON = 12, 6, 1e-12

# A memory has at most 256 tokens, a query about 32.
TEXTS = [
    ("", 256),
    (" ", 256),
    (".", 256),
    ("a", 256),
    ("ok", 256),
    ("How do I rotate the log files of the build server?", 32),
    ("The build server keeps its logs below /var/log/acme; logrotate runs every night at two.", 256),
    ("We decided to use PostgreSQL instead of SQLite because several workers write at the same time.", 256),
    ("Never run the migration on a Friday. It locks the orders table for twenty minutes.", 256),
    ("The user prefers tabs over spaces and short commit messages.", 256),
    ("deploy", 32),
    ("cargo test -p parser -- --nocapture", 32),
    ("git push --force-with-lease origin feature/login", 32),
    ("kubectl get pods -n staging | grep CrashLoopBackOff", 32),
    ("fn main() {\n    let x: Vec<u32> = (0..10).collect();\n    println!(\"{:?}\", x);\n}", 256),
    ("def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)", 256),
    ("SELECT id, name FROM users WHERE created_at > now() - interval '1 day' ORDER BY id;", 256),
    ("const res = await fetch(`${BASE_URL}/api/v2/items/${id}`, { method: 'PATCH' });", 256),
    ("error[E0502]: cannot borrow `*self` as mutable because it is also borrowed as immutable", 256),
    ("TypeError: Cannot read properties of undefined (reading 'map')\n    at List (src/List.jsx:14:23)", 256),
    ("thread 'main' panicked at src/main.rs:42:10: called `Option::unwrap()` on a `None` value", 256),
    ("npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE unable to resolve dependency tree", 256),
    ("Segmentation fault (core dumped)", 256),
    ("ModuleNotFoundError: No module named 'requests'", 256),
    ("fatal: unable to access 'https://git.example.com/': Could not resolve host", 256),
    ("Die Tests der Anmeldung brauchen einen laufenden Redis-Server; sonst schlagen sie fehl.", 256),
    ("Größere Änderungen müssen über einen Merge-Request laufen.", 256),
    ("Le déploiement échoue lorsque la variable d'environnement n'est pas définie.", 256),
    ("La base de datos de producción está en otra región que el servidor.", 256),
    ("Перед выпуском нужно обновить номер версии в файле настроек.", 256),
    ("テストを実行する前にデータベースを起動してください。", 256),
    ("部署之前必须先运行数据库迁移。", 256),
    ("배포하기 전에 테스트를 실행하세요", 256),
    ("يجب تشغيل الاختبارات قبل النشر", 256),
    ("Η ΒΑΣΗ ΔΕΔΟΜΕΝΩΝ είναι στην Αθήνα", 256),
    ("İstanbul'daki sunucu yavaş 🚀🔥", 256),
    ("5f3a9c1e 0xdeadbeef 192.168.0.1 2024-11-23T12:00:00Z 3.14159", 256),
    ("x" * 150 + " is too long for a word", 256),
    ("The cache is invalidated when a branch is merged. " * 12, 256),
    ("Release notes: " + "fixed a crash in the parser, made the search faster, renamed a flag; " * 40, 256),
    ("a long question that is cut in the middle because only a few of its words are counted at all", 12),
]

HARD_TEXTS = [
    "", " \t\n\r", "hello world", "Hello, World!", "unaffable", "don't can't won't", "naïve café résumé",
    "NAI\u0308VE CAFE\u0301", "a\u0301\u0302\u0303b", "\u0301 \u0302", "Ångström Øre łódź ðþæß", "İstanbul IĞDIR ıi",
    "ΟΔΥΣΣΕΥΣ όσος ΣΑΣ", "Ελλάδα ΆΈΉΊΌΎΏ", "ÀÉÎÕÜ ÇÑ", "中文字符测试", "中a文b", "日本語 テスト ひらがな カタカナ",
    "ガギグ が\u3099", "한국어 테스트", "한글abc", "𠀀𪜀𫝀 豈更車 㐀", "Привет, МИР! Ёлка Йод", "שלום עוֹלָם", "السَّلَامُ عَلَيْكُمْ",
    "हिन्दी में पाठ", "ภาษาไทย", "Tiếng Việt rất đẹp", "emoji 😀😃🚀 ok", "👨\u200d👩\u200d👧 family ❤\ufe0f", "🇩🇪 flag 1️⃣",
    "control\x00\x01\x07\x1b[31mred\x1b[0m", "zero\u200bwidth\u200cjoin\u200d\ufeff", "soft\u00adhyphen",
    "no\u00a0break\u3000ideographic\u2003em", "line\u2028sep\u2029para", "vt\x0bff\x0cnel\x85end", "bad\ufffdchar",
    "private\ue000use", "right\u202eto\u202cleft", "tab\tnew\nline\rret", "$100 + 5% = ^_^ ~`|<>",
    "«quoted» “smart” ‘single’ — dash… ‹x›", "¿qué? ¡ay! § ¶ · ‰ ′", "€ × ÷ © ® ™ ° ± → ≤ ∞", "、。「」・！？（）", "ﬁ ﬂ ﬀ ½ ² ³ ™ Ⅷ ⅷ ①",
    "ＡＢＣ ｆｕｌｌ １２３", "snake_case camelCase kebab-case SCREAMING_CASE", "path/to/file.rs:42:10 C:\\Users\\me",
    "http://example.com/a?b=c&d=e#f", "x" * 100, "x" * 101, "é" * 100, "é" * 101, "ab" * 60 + " ok",
    "antidisestablishmentarianism", "supercalifragilisticexpialidocious", "zzzzqqqq 中中中 ꙮ ᚠᛇᚻ ℵ",
    "Ǆ ǅ ǆ ẞ ſ K Å", "ᾳ ᾼ ΐ ΰ", "0123456789 3.14 1e-9 0xFF", "##ing ##s # ##", "a##b", "e\u0323\u0302 ệ", "\u1e9b\u0323",
    "q\u0307\u0323", "ÅÅ Å", "क\u093cख", "\u0345\u0399",
]


def read_model(folder):
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    weights = load_file(str(folder / "model.safetensors"))
    return tokenizer, {name: numbers.astype(numpy.float64) for name, numbers in weights.items()}


def tokens(tokenizer, text, max_tokens):
    tokenizer.enable_truncation(max_tokens)
    return tokenizer.encode(text).ids


def words(tokenizer, text):
    normalized = tokenizer.normalizer.normalize_str(text)
    return [word for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(normalized)]


def norm(weights, name, rows):
    centered = rows - rows.mean(axis=-1, keepdims=True)
    rows = centered / numpy.sqrt((centered**2).mean(axis=-1, keepdims=True) + EPSILON)
    return rows * weights[f"{name}.LayerNorm.weight"] + weights[f"{name}.LayerNorm.bias"]


def linear(weights, name, rows):
    return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def attention(weights, name, rows):
    parts = [linear(weights, f"{name}.{part}", rows) for part in ("query", "key", "value")]
    query, key, value = [part.reshape(len(rows), HEADS, -1).transpose(1, 0, 2) for part in parts]
    scores = query @ key.transpose(0, 2, 1) / math.sqrt(query.shape[-1])
    shares = numpy.exp(scores - scores.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    return (shares @ value).transpose(1, 0, 2).reshape(rows.shape)


def gelu(rows):
    return rows * 0.5 * (1 + numpy.vectorize(math.erf)(rows / math.sqrt(2)))


def vector(weights, ids):
    rows = weights["embeddings.word_embeddings.weight"][ids]
    rows = rows + weights["embeddings.position_embeddings.weight"][: len(ids)]
    rows = norm(weights, "embeddings", rows + weights["embeddings.token_type_embeddings.weight"][0])
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        context = attention(weights, f"{name}.attention.self", rows)
        output = linear(weights, f"{name}.attention.output.dense", context)
        rows = norm(weights, f"{name}.attention.output", rows + output)
        expanded = gelu(linear(weights, f"{name}.intermediate.dense", rows))
        rows = norm(weights, f"{name}.output", rows + linear(weights, f"{name}.output.dense", expanded))
    mean = rows.mean(axis=0)
    return mean / numpy.linalg.norm(mean)


def hexadecimal(vector):
    """Four digits per number: the number times 32767 as 16 bits, the highest first."""
    return numpy.round(vector * 32767).astype(">i2").tobytes().hex()


def write(name, cases):
    lines = ",\n".join(json.dumps(case, ensure_ascii=True) for case in cases)
    (HERE / name).write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def main():
    tokenizer, weights = read_model(Path(sys.argv[1]))
    cases = []
    for text in HARD_TEXTS:
        ids = tokens(tokenizer, text, 512)
        cases.append({"text": text, "words": words(tokenizer, text), "tokens": ids})
    write("tokenizer_cases.json", cases)
    cases = []
    for text, max_tokens in TEXTS:
        reference = hexadecimal(vector(weights, tokens(tokenizer, text, max_tokens)))
        cases.append({"text": text, "max_tokens": max_tokens, "vector": reference})
    write("vector_cases.json", cases)


main()
