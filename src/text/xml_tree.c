/* XML trees: their memory, and walking them.
 *
 * Everything of a tree lies in a list of blocks that grow with the tree, so that freeing it is a walk along the list and
 * never a recursion over elements. */
#include "text/xml_tree.h"

#include "base/memory.h"

#include <stdalign.h>
#include <stdio.h>
#include <string.h>

/* Room of the first block; the blocks after it double up to the largest. */
enum { FIRST_BLOCK = 1 << 12, LARGEST_BLOCK = 1 << 20 };

/* Longest part of a file name that messages show; the end of a name tells more than its start. */
enum { NAME_SHOWN = 120 };

typedef struct crn_xml_block {
    struct crn_xml_block *next;
    size_t size, used;
    alignas(max_align_t) unsigned char data[];
} crn_xml_block;

static crn_xml_block *add_block(crn_xml *xml, size_t needed)
{
    size_t size = xml->block == NULL ? FIRST_BLOCK : xml->block->size * 2;
    size = size < LARGEST_BLOCK ? size : LARGEST_BLOCK;
    size = size > needed ? size : needed;
    crn_xml_block *block =
        size <= SIZE_MAX - sizeof *block ? crn_allocate(&xml->allocator, 1, sizeof *block + size) : NULL;
    if (block != NULL) {
        *block = (crn_xml_block){.next = xml->block, .size = size};
        xml->block = block;
    }
    return block;
}

void *crn_xml_take(crn_xml *xml, size_t bytes)
{
    size_t unit = alignof(max_align_t);
    if (bytes > SIZE_MAX - unit) {
        return NULL;
    }
    bytes = (bytes + unit - 1) / unit * unit;
    crn_xml_block *block = xml->block;
    if (block == NULL || block->size - block->used < bytes) {
        block = add_block(xml, bytes);
    }
    if (block == NULL) {
        return NULL;
    }
    void *piece = block->data + block->used;
    block->used += bytes;
    return piece;
}

static bool keep_name(crn_xml *xml, const char *name)
{
    size_t length = strlen(name);
    char *copy = crn_xml_take(xml, length + 1);
    char *shown = crn_xml_take(xml, NAME_SHOWN + sizeof "...");
    if (copy == NULL || shown == NULL) {
        return false;
    }
    xml->name = memcpy(copy, name, length + 1);
    bool is_long = length > NAME_SHOWN;
    (void)snprintf(shown, NAME_SHOWN + sizeof "...", "%s%s", is_long ? "..." : "",
                   is_long ? name + (length - NAME_SHOWN) : name);
    xml->shown = shown;
    return true;
}

crn_xml *crn_xml_create(const char *name, const crn_allocator *allocator)
{
    crn_allocator hooks = crn_io_allocator(allocator);
    crn_xml *xml = crn_allocate(&hooks, 1, sizeof *xml);
    if (xml == NULL) {
        return NULL;
    }
    *xml = (crn_xml){.allocator = hooks};
    if (!keep_name(xml, name)) {
        crn_xml_free(xml);
        return NULL;
    }
    return xml;
}

void crn_xml_free(crn_xml *xml)
{
    if (xml == NULL) {
        return;
    }
    crn_allocator hooks = xml->allocator;
    for (crn_xml_block *block = xml->block; block != NULL;) {
        crn_xml_block *next = block->next;
        crn_release(&hooks, block);
        block = next;
    }
    crn_release(&hooks, xml);
}

crn_xml_node *crn_xml_root(crn_xml *xml)
{
    return xml->root;
}

const char *crn_xml_name(const crn_xml *xml)
{
    return xml->name;
}

crn_xml_node *crn_xml_child(const crn_xml_node *node, const char *name, const crn_xml_node *after)
{
    crn_xml_node *child = after != NULL ? after->next : node->child;
    while (child != NULL && name != NULL && strcmp(child->name, name) != 0) {
        child = child->next;
    }
    return child;
}

static int find_attribute(const crn_xml_node *node, const char *name)
{
    int i = 0;
    while (i < node->attributes && strcmp(node->attribute[i].name, name) != 0) {
        ++i;
    }
    return i < node->attributes ? i : -1;
}

const char *crn_xml_look(const crn_xml_node *node, const char *name)
{
    int i = find_attribute(node, name);
    return i >= 0 ? node->attribute[i].value : NULL;
}

const char *crn_xml_get(crn_xml_node *node, const char *name)
{
    int i = find_attribute(node, name);
    if (i >= 0) {
        node->attribute[i].is_read = true;
    }
    return i >= 0 ? node->attribute[i].value : NULL;
}
