/* Proof files: JSON with one member per array, and a digest of the text before it.
 *
 *     {"cairn_proof": 1, "kind": "enclosure", "n": 3, "basis": "BLU", "z": [...], "radius": [...], "weight": [...],
 *      "inverse": [...], "digest": "0123456789abcdef"}
 *
 * The digest is FNV-1a of every byte before the word "digest" with its quotes: it tells accidents, not malice; what a proof is
 * worth is for its check to say. Reals have 17 digits, which read back to the same bits. */
#include "io/json.h"
#include "text/number.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

static const char DIGEST[] = "\"digest\"";

static uint64_t digest_of(const char *text, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; ++i) {
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* --- writing --- */

/* A file that knows the digest of what was written to it. */
typedef struct writer {
    FILE *file;
    uint64_t digest;
} writer;

static void put(writer *w, const char *text)
{
    fputs(text, w->file);
    for (const char *c = text; *c != '\0'; ++c) {
        w->digest = (w->digest ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    }
}

static void put_reals(writer *w, const char *key, size_t count, const double *values)
{
    if (values == NULL) {
        return;
    }
    put(w, ",\n\"");
    put(w, key);
    put(w, "\": [");
    for (size_t i = 0; i < count; ++i) {
        char text[CRN_IO_NUMBER_SIZE];
        crn_io_number_write(values[i], text);
        put(w, i == 0 ? "" : ", ");
        put(w, text);
    }
    put(w, "]");
}

static void put_basis(writer *w, const crn_proof *proof)
{
    static const char letters[] = "LBU";
    if (proof->basis == NULL) {
        return;
    }
    put(w, ",\n\"basis\": \"");
    for (int i = 0; i < proof->n; ++i) {
        char letter[2] = {letters[proof->basis[i]], '\0'};
        put(w, letter);
    }
    put(w, "\"");
}

static void put_numbers(writer *w, const crn_proof *proof)
{
    if (proof->number == NULL) {
        return;
    }
    put(w, ",\n\"numbers\": [");
    for (int b = 0; b <= proof->k; ++b) {
        put(w, b == 0 ? "\"" : "\", \"");
        put(w, proof->number[b]);
    }
    put(w, "\"]");
}

static void put_tree(writer *w, const crn_proof *proof)
{
    if (proof->tree == NULL) {
        return;
    }
    put(w, ",\n\"tree\": [");
    for (int i = 0; i < proof->nodes; ++i) {
        char text[24];
        (void)snprintf(text, sizeof text, "%s%d", i == 0 ? "" : ", ", proof->tree[i]);
        put(w, text);
    }
    put(w, "]");
}

crn_status crn_io_write_proof(const char *path, const crn_proof *proof, crn_error *error)
{
    if (path == NULL || proof == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: NULL", path == NULL ? "path" : "proof");
    }
    crn_io_output output;
    char text[96];
    crn_status status = crn_io_output_open(&output, path, error);
    if (status != CRN_OK) {
        return status;
    }
    const size_t n = (size_t)proof->n, k = (size_t)proof->k;
    writer w = {.file = output.file, .digest = digest_of(NULL, 0)};
    (void)snprintf(text, sizeof text, "{\"cairn_proof\": 1,\n\"kind\": \"%s\",\n\"n\": %d",
                   crn_proof_kind_name(proof->kind), proof->n);
    put(&w, text);
    if (proof->kind == CRN_PROOF_BACKWARD || proof->kind == CRN_PROOF_INFEASIBLE_WITHIN) {
        put_reals(&w, "eps", 1, &proof->eps);
    }
    if (proof->kind == CRN_PROOF_MOTION) {
        put_reals(&w, "gap", 1, &proof->gap);
    }
    put_basis(&w, proof);
    put_reals(&w, "z", n, proof->z);
    put_reals(&w, "radius", n, proof->radius);
    put_reals(&w, "weight", k, proof->weight);
    put_reals(&w, "inverse", k * k, proof->inverse);
    put_reals(&w, "size", n, proof->size);
    put_tree(&w, proof);
    put_reals(&w, "y", proof->tree != NULL ? n * (size_t)proof->leaves : n, proof->y);
    put_numbers(&w, proof);
    put(&w, ",\n");
    (void)fprintf(output.file, "%s: \"%016" PRIx64 "\"}\n", DIGEST, w.digest);
    return crn_io_output_close(&output, CRN_OK, error);
}

/* --- reading --- */

/* A proof on its way in; status is that of the first thing that went wrong. */
typedef struct reader {
    crn_json_place root;
    crn_proof *proof;
    crn_status status;
} reader;

/* An array of `count` numbers, if the file has it. */
static void get_reals(reader *r, const char *key, size_t count, double **values)
{
    crn_json_place place = crn_json_find(&r->root, key);
    if (r->status != CRN_OK || place.value == NULL) {
        return;
    }
    *values = crn_allocate(&r->proof->allocator, count, sizeof(double));
    if (*values == NULL) {
        r->status = crn_fail(r->root.error, CRN_ERR_MEMORY, "%s: no memory for %s", r->root.file, key);
        return;
    }
    r->status = crn_json_reals(&place, count, *values);
}

/* The number of an array of one; 0 if the file does not have it. */
static double get_real(reader *r, const char *key)
{
    double *values = NULL;
    get_reals(r, key, 1, &values);
    const double value = r->status == CRN_OK && values != NULL ? *values : 0.0;
    crn_release(&r->proof->allocator, values);
    return value;
}

static void get_kind(reader *r)
{
    crn_json_place place = crn_json_find(&r->root, "kind");
    r->status = r->status == CRN_OK ? crn_json_need(&place, CRN_JSON_STRING) : r->status;
    for (int kind = 1; r->status == CRN_OK && kind < CRN_PROOF_KIND_COUNT; ++kind) {
        if (strcmp(crn_json_string(place.value), crn_proof_kind_name((crn_proof_kind)kind)) == 0) {
            r->proof->kind = (crn_proof_kind)kind;
        }
    }
    if (r->status == CRN_OK && r->proof->kind == CRN_PROOF_NONE) {
        r->status = crn_json_fail(&place, "'%s' is no kind of proof", crn_json_string(place.value));
    }
}

static void get_basis(reader *r)
{
    crn_json_place place = crn_json_find(&r->root, "basis");
    if (r->status != CRN_OK || place.value == NULL) {
        return;
    }
    r->status = crn_json_need(&place, CRN_JSON_STRING);
    const char *text = r->status == CRN_OK ? crn_json_string(place.value) : "";
    if (r->status == CRN_OK && (strlen(text) != (size_t)r->proof->n || strspn(text, "LBU") != strlen(text))) {
        r->status = crn_json_fail(&place, "needs %d letters, each L, B or U", r->proof->n);
    }
    r->proof->basis = r->status == CRN_OK ? crn_allocate(&r->proof->allocator, (size_t)r->proof->n, 1) : NULL;
    for (int i = 0; r->proof->basis != NULL && i < r->proof->n; ++i) {
        r->proof->basis[i] = (unsigned char)(text[i] == 'L' ? CRN_LCP_AT_LOWER : CRN_LCP_BASIC);
        r->proof->basis[i] = text[i] == 'U' ? CRN_LCP_AT_UPPER : r->proof->basis[i];
        r->proof->k += text[i] == 'B';
    }
}

static void get_numbers(reader *r)
{
    crn_json_place place = crn_json_find(&r->root, "numbers");
    int count = 0;
    if (r->status != CRN_OK || place.value == NULL) {
        return;
    }
    r->status = crn_json_array(&place, &count);
    if (r->status == CRN_OK && count != r->proof->k + 1) {
        r->status = crn_json_fail(&place, "has %d numbers instead of %d", count, r->proof->k + 1);
    }
    r->proof->number = r->status == CRN_OK ? crn_allocate(&r->proof->allocator, (size_t)count, sizeof(char *)) : NULL;
    if (r->proof->number != NULL) {
        memset(r->proof->number, 0, (size_t)count * sizeof(char *));
    }
    for (int b = 0; r->proof->number != NULL && r->status == CRN_OK && b < count; ++b) {
        crn_json_place item = crn_json_at(&place, (size_t)b);
        r->status = crn_json_need(&item, CRN_JSON_STRING);
        if (r->status == CRN_OK) {
            const char *text = crn_json_string(item.value);
            r->proof->number[b] = crn_allocate(&r->proof->allocator, strlen(text) + 1, 1);
            if (r->proof->number[b] != NULL) {
                memcpy(r->proof->number[b], text, strlen(text) + 1);
            }
        }
    }
}

static void get_tree(reader *r)
{
    crn_json_place place = crn_json_find(&r->root, "tree");
    crn_proof *proof = r->proof;
    if (r->status != CRN_OK || place.value == NULL) {
        return;
    }
    r->status = crn_json_array(&place, &proof->nodes);
    proof->tree = r->status == CRN_OK ? crn_allocate(&proof->allocator, (size_t)proof->nodes, sizeof(int)) : NULL;
    if (r->status == CRN_OK && proof->tree == NULL) {
        r->status = crn_fail(r->root.error, CRN_ERR_MEMORY, "%s: no memory for tree", r->root.file);
    }
    for (int i = 0; r->status == CRN_OK && i < proof->nodes; ++i) {
        crn_json_place item = crn_json_at(&place, (size_t)i);
        r->status = crn_json_int(&item, 0, proof->n, &proof->tree[i]);
        proof->leaves += r->status == CRN_OK && proof->tree[i] == 0;
    }
}

/* Is the digest at the end that of what stands before it? */
static crn_status check_digest(const crn_io_source *source, crn_error *error)
{
    const size_t length = strlen(DIGEST);
    size_t at = source->size >= length ? source->size - length : 0;
    while (at > 0 && memcmp(source->text + at, DIGEST, length) != 0) {
        --at;
    }
    char expected[48];
    int size = snprintf(expected, sizeof expected, "%s: \"%016" PRIx64 "\"}", DIGEST, digest_of(source->text, at));
    if (at == 0 || source->size - at < (size_t)size || memcmp(source->text + at, expected, (size_t)size) != 0) {
        return crn_fail(error, CRN_ERR_FORMAT, "%s: digest: the text is not the one that was written", source->name);
    }
    return CRN_OK;
}

static crn_status read_members(const crn_io_source *source, const crn_json *root, crn_proof *proof, crn_error *error)
{
    reader r = {.root = crn_json_root_of(root, source, error), .proof = proof};
    crn_json_place n = crn_json_find(&r.root, "n");
    get_kind(&r);
    r.status = r.status == CRN_OK ? crn_json_int(&n, 0, 1 << 26, &proof->n) : r.status;
    get_basis(&r);
    proof->eps = get_real(&r, "eps");
    proof->gap = get_real(&r, "gap");
    const size_t size = (size_t)proof->n, k = (size_t)proof->k;
    get_reals(&r, "z", size, &proof->z);
    get_reals(&r, "radius", size, &proof->radius);
    get_reals(&r, "weight", k, &proof->weight);
    get_reals(&r, "inverse", k * k, &proof->inverse);
    get_reals(&r, "size", size, &proof->size);
    get_tree(&r);
    get_reals(&r, "y", proof->tree != NULL ? size * (size_t)proof->leaves : size, &proof->y);
    get_numbers(&r);
    return r.status;
}

crn_status crn_io_read_proof(const char *path, const crn_allocator *allocator, crn_proof *proof, crn_error *error)
{
    if (path == NULL || proof == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: NULL", path == NULL ? "path" : "proof");
    }
    crn_io_source source = {.name = path};
    crn_json *root = NULL;
    *proof = (crn_proof){.allocator = crn_io_allocator(allocator)};
    crn_clear(error);
    crn_status status = crn_io_load(path, &proof->allocator, &source, error);
    status = status == CRN_OK ? check_digest(&source, error) : status;
    status = status == CRN_OK ? crn_json_parse(&source, &root, error) : status;
    if (status == CRN_OK) {
        status = read_members(&source, root, proof, error);
        crn_json_free(root);
    }
    crn_io_unload(&proof->allocator, &source);
    if (status != CRN_OK) {
        crn_proof_free(proof);
    }
    return status;
}
