/*
 * Java's rules at level strict, read from the class files that javac left: what a class refers to by name stands in
 * its constant pool, whatever its source looked like. Runs in the judge, outside the box, on bytes a contestant can
 * choose: every read is checked against the end, and each byte is looked at a fixed number of times.
 *
 * JDK 17 to 23 have a SecurityManager as well; from JDK 24 on the virtual machine refuses to start with one, and this
 * scan, the module system (no --add-opens) and the box remain. What it does not stop: a class the program makes at
 * run time, which needs a class loader, a lookup or reflection, which are refused here; deserialized objects;
 * what a class of the JDK does on behalf of an allowed call.
 */
#include "lang/scan.h"

#include "base/array.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define MAGIC 0xcafebabe
#define ACC_NATIVE 0x0100

enum tag {
	TAG_UTF8 = 1, TAG_INTEGER = 3, TAG_FLOAT, TAG_LONG, TAG_DOUBLE, TAG_CLASS, TAG_STRING, TAG_FIELD, TAG_METHOD,
	TAG_INTERFACE_METHOD, TAG_NAME_AND_TYPE, TAG_METHOD_HANDLE = 15, TAG_METHOD_TYPE, TAG_DYNAMIC,
	TAG_INVOKE_DYNAMIC, TAG_MODULE, TAG_PACKAGE
};

/* Bytes of an entry behind its tag (JVMS 4.4); of TAG_UTF8, before its text. 0: there is no such tag. */
static const unsigned char tag_bytes[] = {
	[TAG_UTF8] = 2, [TAG_INTEGER] = 4, [TAG_FLOAT] = 4, [TAG_LONG] = 8, [TAG_DOUBLE] = 8, [TAG_CLASS] = 2,
	[TAG_STRING] = 2, [TAG_FIELD] = 4, [TAG_METHOD] = 4, [TAG_INTERFACE_METHOD] = 4, [TAG_NAME_AND_TYPE] = 4,
	[TAG_METHOD_HANDLE] = 3, [TAG_METHOD_TYPE] = 2, [TAG_DYNAMIC] = 4, [TAG_INVOKE_DYNAMIC] = 4, [TAG_MODULE] = 2,
	[TAG_PACKAGE] = 2,
};

/* Classes whose name begins so. */
static const char *const refused_classes[] = {
	"java/lang/Process", "java/lang/ClassLoader", "java/lang/SecurityManager", "java/lang/Module",
	"java/lang/StackWalker", "java/lang/reflect/", "java/lang/invoke/", "java/lang/foreign/",
	"java/lang/instrument/", "java/lang/management/", "java/lang/module/",
	"java/net/", "java/rmi/", "java/sql/", "java/beans/", "java/applet/", "java/awt/Desktop", "java/awt/Robot",
	"java/nio/channels/Socket", "java/nio/channels/ServerSocket", "java/nio/channels/Datagram",
	"java/nio/channels/Asynchronous", "java/nio/channels/Multicast", "java/nio/channels/Network",
	"java/nio/channels/spi/", "java/nio/file/spi/", "java/security/SecureClassLoader",
	"java/security/AccessController", "java/security/Policy", "java/util/ServiceLoader", "java/util/spi/",
	"java/util/prefs/", "javax/management/", "javax/naming/", "javax/net/", "javax/rmi/", "javax/script/",
	"javax/sql/", "javax/tools/", "javax/annotation/processing/", "sun/", "jdk/", "com/sun/", "com/oracle/",
};

/* Of those, what javac itself writes: for lambdas and method references, joined strings, records, switches over
   types. And arrays of a type parameter, made by hand. */
static const char *const allowed_classes[] = {
	"java/lang/invoke/LambdaMetafactory", "java/lang/invoke/StringConcatFactory",
	"java/lang/invoke/SerializedLambda", "java/lang/invoke/ConstantBootstraps", "java/lang/reflect/Array",
};

/* In the list of inner classes of whatever has a lambda; no method of theirs may be used. */
static const char *const named_classes[] = {
	"java/lang/invoke/MethodHandles", "java/lang/invoke/MethodHandles$Lookup",
};

struct member {
	const char *class_name, *name;	/* its name begins so */
};

static const struct member refused_members[] = {
	{ "java/lang/Runtime", "exec" }, { "java/lang/Runtime", "load" },
	{ "java/lang/System", "load" }, { "java/lang/System", "setSecurityManager" },
	{ "java/lang/System", "setPropert" },
	{ "java/lang/Class", "forName" }, { "java/lang/Class", "newInstance" },
	{ "java/lang/Class", "getMethod" }, { "java/lang/Class", "getDeclared" }, { "java/lang/Class", "getField" },
	{ "java/lang/Class", "getConstructor" }, { "java/lang/Class", "getClassLoader" },
	{ "java/lang/Class", "getModule" }, { "java/lang/Class", "getProtectionDomain" },
	{ "java/lang/Thread", "getContextClassLoader" }, { "java/lang/Thread", "setContextClassLoader" },
};

struct input {
	const unsigned char *at;
	size_t left;
	bool bad;	/* something was read behind the end; from then on all is zero */
};

struct text {
	const char *at;
	size_t size;
};

static const struct text no_text = { "", 0 };

struct pool {
	const unsigned char *base;
	unsigned count;
	uint32_t offsets[UINT16_MAX + 1];	/* of each entry's tag; 0: there is no such entry */
};

static const unsigned char *take(struct input *in, size_t size)
{
	const unsigned char *at = in->at;

	if (in->bad || size > in->left) {
		in->bad = true;
		return NULL;
	}
	in->at += size;
	in->left -= size;
	return at;
}

static unsigned two_bytes(const unsigned char *at)
{
	return (unsigned)at[0] << 8 | at[1];
}

static unsigned take_2(struct input *in)
{
	const unsigned char *at = take(in, 2);

	return at ? two_bytes(at) : 0;
}

static uint32_t take_4(struct input *in)
{
	uint32_t high = take_2(in);

	return high << 16 | take_2(in);
}

/* The constant pool's entries, each within the text. */
static bool read_pool(struct input *in, const unsigned char *base, struct pool *ret)
{
	ret->base = base;
	ret->count = take_2(in);
	memset(ret->offsets, 0, sizeof ret->offsets);
	for (unsigned i = 1; i < ret->count; i++) {
		const unsigned char *tag = take(in, 1);

		if (!tag || *tag >= ARRAY_SIZE(tag_bytes) || !tag_bytes[*tag])
			return false;
		ret->offsets[i] = (uint32_t)(tag - base);
		if (*tag == TAG_UTF8)
			take(in, take_2(in));
		else
			take(in, tag_bytes[*tag]);
		if (*tag == TAG_LONG || *tag == TAG_DOUBLE)
			i++;	/* takes two indices */
	}
	return !in->bad;
}

/* What stands behind the entry's tag; NULL unless it has this one. */
static const unsigned char *pool_entry(const struct pool *pool, unsigned index, enum tag tag)
{
	const unsigned char *at = pool->base + pool->offsets[index & UINT16_MAX];

	return pool->offsets[index & UINT16_MAX] && *at == tag ? at + 1 : NULL;
}

static struct text pool_text(const struct pool *pool, unsigned index)
{
	const unsigned char *at = pool_entry(pool, index, TAG_UTF8);

	return at ? (struct text){ (const char *)at + 2, two_bytes(at) } : no_text;
}

/* A class's name; an array's is that of its elements, of a primitive type none. */
static struct text class_name(const struct pool *pool, unsigned index)
{
	const unsigned char *at = pool_entry(pool, index, TAG_CLASS);
	struct text name = at ? pool_text(pool, two_bytes(at)) : no_text;

	if (!name.size || name.at[0] != '[')
		return name;
	while (name.size && name.at[0] == '[')
		name = (struct text){ name.at + 1, name.size - 1 };
	if (name.size < 2 || name.at[0] != 'L')
		return no_text;
	return (struct text){ name.at + 1, name.size - 2 };
}

static bool begins(struct text text, const char *prefix)
{
	size_t size = strlen(prefix);

	return text.size >= size && !memcmp(text.at, prefix, size);
}

static bool begins_one(struct text text, const char *const *prefixes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (begins(text, prefixes[i]))
			return true;
	return false;
}

static bool is_one(struct text text, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (begins(text, names[i]) && text.size == strlen(names[i]))
			return true;
	return false;
}

static bool class_refused(struct text name)
{
	return begins_one(name, refused_classes, ARRAY_SIZE(refused_classes)) &&
		!is_one(name, allowed_classes, ARRAY_SIZE(allowed_classes));
}

static bool member_refused(struct text class_name, struct text name)
{
	for (size_t i = 0; i < ARRAY_SIZE(refused_members); i++)
		if (is_one(class_name, &refused_members[i].class_name, 1) && begins(name, refused_members[i].name))
			return true;
	return false;
}

/* Appends the name as Java writes it, cut where the rule is full; whatever is not printable ASCII becomes ?. */
static void append_name(struct scan_finding *ret, struct text name)
{
	size_t used = strlen(ret->rule);

	for (size_t i = 0; i < name.size && used + 1 < sizeof ret->rule; i++) {
		char c = name.at[i];

		ret->rule[used++] = c == '/' ? '.' : c > ' ' && c < 0x7f ? c : '?';
	}
	ret->rule[used] = '\0';
}

static bool refuse(struct scan_finding *ret, const char *what, struct text class_name, struct text name)
{
	ret->line = 0;
	snprintf(ret->rule, sizeof ret->rule, "%s", what);
	append_name(ret, class_name);
	if (name.size) {
		append_name(ret, (struct text){ "/", 1 });
		append_name(ret, name);
	}
	return true;
}

static bool scan_class(const struct pool *pool, unsigned index, struct scan_finding *ret)
{
	struct text name = class_name(pool, index);

	if (!class_refused(name) || is_one(name, named_classes, ARRAY_SIZE(named_classes)))
		return false;
	return refuse(ret, "class ", name, no_text);
}

/* A use of a field or a method: `at` has the class and the name with its type. */
static bool scan_member(const struct pool *pool, const unsigned char *at, struct scan_finding *ret)
{
	struct text owner = class_name(pool, two_bytes(at));
	const unsigned char *pair = pool_entry(pool, two_bytes(at + 2), TAG_NAME_AND_TYPE);
	struct text name = pair ? pool_text(pool, two_bytes(pair)) : no_text;

	return (class_refused(owner) || member_refused(owner, name)) && refuse(ret, "use of ", owner, name);
}

static bool scan_pool(const struct pool *pool, struct scan_finding *ret)
{
	for (unsigned i = 1; i < pool->count; i++) {
		const unsigned char *at = pool->base + pool->offsets[i];

		if (!pool->offsets[i])
			continue;
		if (*at == TAG_CLASS && scan_class(pool, i, ret))
			return true;
		if (*at >= TAG_FIELD && *at <= TAG_INTERFACE_METHOD && scan_member(pool, at + 1, ret))
			return true;
	}
	return false;
}

static void skip_attributes(struct input *in)
{
	for (unsigned left = take_2(in); left && !in->bad; left--) {
		take_2(in);
		take(in, take_4(in));
	}
}

/* Fields, or methods: true at the first one that is native; a field never has that bit. */
static bool scan_natives(const struct pool *pool, struct input *in, struct scan_finding *ret)
{
	for (unsigned left = take_2(in); left && !in->bad; left--) {
		unsigned flags = take_2(in);
		struct text name = pool_text(pool, take_2(in));

		take_2(in);
		skip_attributes(in);
		if (flags & ACC_NATIVE)
			return refuse(ret, "native method ", name, no_text);
	}
	return false;
}

bool scan_java_classes(const char *name, const char *text, size_t size, struct scan_finding *ret)
{
	struct input in = { (const unsigned char *)text, size, size > UINT32_MAX };
	struct pool pool;

	(void)name;
	if (take_4(&in) != MAGIC || !take(&in, 4) || !read_pool(&in, (const unsigned char *)text, &pool))
		return refuse(ret, "not a class file", no_text, no_text);
	if (scan_pool(&pool, ret))
		return true;
	take(&in, 6);	/* access flags, this class, its super class */
	take(&in, (size_t)take_2(&in) * 2);	/* interfaces */
	for (int list = 0; list < 2; list++)
		if (scan_natives(&pool, &in, ret))
			return true;
	skip_attributes(&in);
	if (in.bad || in.left)
		return refuse(ret, "not a class file", no_text, no_text);
	return false;
}
