/*
 * Fuzzes the writers of reports: the input is a result, as hostile as its types permit. What is written is read back by
 * other readers (reader.h, jansson), and must be the same fields: none more, none less, each on its one line.
 */
#include "tests/fuzz/input.h"
#include "tests/fuzz/reader.h"

#include "report/audit.h"
#include "report/escape.h"
#include "report/fields.h"
#include "report/human.h"
#include "report/meta.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>

#define FIELDS_MOST 128

/* What the table says is to be written. */
struct told {
	size_t count;
	struct field field[FIELDS_MOST];
	char key[FIELDS_MOST][64];
};

static void keep(void *into, const struct field *f)
{
	struct told *t = into;

	HOLDS(t->count < FIELDS_MOST && strlen(f->key) < sizeof(t->key[0]));
	strcpy(t->key[t->count], f->key);
	t->field[t->count++] = *f;
}

/* ---- an input as a result */

/* A text in an array: as long as its array permits. */
static void fill_text(struct input *in, char *text, size_t size)
{
	char *bytes = input_text(in, input_byte(in) == 255 ? size - 1 : input_byte(in) % size);

	strcpy(text, bytes);	/* up to a NUL among the bytes */
	free(bytes);
}

static void fill_outcome(struct input *in, struct outcome *o)
{
	uint64_t *numbers[] = {
		&o->cpu_us, &o->user_us, &o->sys_us, &o->wall_us, &o->mem_peak_bytes, &o->max_rss_bytes,
		&o->csw_voluntary, &o->csw_forced, &o->oom_kills, &o->processes_peak,
		&o->processes_refused, &o->stdout_bytes, &o->stderr_bytes, &o->disk_bytes,
		&o->setup_us, &o->teardown_us,
	};
	const uint8_t bits = input_byte(in), over = input_byte(in);

	o->started = bits & 1;
	o->has_status = bits & 2;
	o->stdout_over = bits & 4;
	o->stderr_over = bits & 8;
	o->memory_over = bits & 16;
	o->memory_refused = bits & 32;
	o->line_open = bits & 64;
	o->error.kind = over % 4 == 3 ? ERR_INTERNAL : ERR_NONE;
	o->ended_by = (enum ended_by)(over / 4 % (ENDED_SIGNAL + 1));
	o->exec_errno = over & 128 ? input_byte(in) : 0;
	o->judge_signal = input_byte(in) % 65;
	o->wait_status = (int)input_number(in) & 0xffff;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		*numbers[i] = input_number(in);
	o->cgroup_version = input_byte(in) % 3;
	o->landlock_abi = input_byte(in) % 16 - 1;
	for (int i = 0; i < LIMIT_COUNT; i++)
		o->enforced[i] = input_byte(in);
	for (int i = 0; i < FIGURE_COUNT; i++)
		o->measured[i] = input_byte(in);
	fill_text(in, o->error.text, sizeof(o->error.text));
	fill_text(in, o->error.cure, sizeof(o->error.cure));
	fill_text(in, o->program, sizeof(o->program));
	fill_text(in, o->exec_machine, sizeof(o->exec_machine));
	fill_text(in, o->exec_missing, sizeof(o->exec_missing));
	fill_text(in, o->refused, sizeof(o->refused));
	fill_text(in, o->notice, sizeof(o->notice));
}

/* The judgement of these facts, or any at all. */
static void fill_judgement(struct input *in, struct result *r)
{
	const uint8_t how = input_byte(in);

	r->phase = how & 1 ? PHASE_COMPILE : PHASE_RUN;
	if (how & 2) {
		judge_outcome(&r->limits, &r->outcome, r->phase, &r->judgement);
		HOLDS(r->judgement.verdict == VERDICT_OK || r->judgement.message[0]);
		return;
	}
	r->judgement.verdict = (enum verdict)(input_byte(in) % VERDICT_COUNT);
	r->judgement.limit = input_byte(in) % (LIMIT_COUNT + 1) - 1;
	fill_text(in, r->judgement.message, sizeof(r->judgement.message));
}

/* ---- written and read back */

static void check_line(const struct field *f, const char *key, const char *line)
{
	const size_t length = strlen(key);
	char number[64];

	HOLDS(strncmp(line, key, length) == 0 && line[length] == ':');
	line += length + 1;
	HOLDS(is_utf8(line, true));
	if (f->kind == FIELD_TEXT) {
		HOLDS(is_escaped(f->text, line));
		return;
	}
	if (f->kind == FIELD_NUMBER)
		snprintf(number, sizeof(number), "%llu", (unsigned long long)f->number);
	else if (f->kind == FIELD_SECONDS)
		snprintf(number, sizeof(number), "%llu.%03llu", (unsigned long long)f->number / 1000000,
			 (unsigned long long)f->number / 1000 % 1000);
	else
		snprintf(number, sizeof(number), "%llu.%06llu", (unsigned long long)f->number / 1000000,
			 (unsigned long long)f->number % 1000000);
	HOLDS(strcmp(line, number) == 0);
}

static void check_lines(const struct result *r, const struct told *t)
{
	char *text = meta_lines(r), *at = text;

	for (size_t i = 0; i < t->count; i++) {
		char *end = strchr(at, '\n');

		HOLDS(end);
		*end = '\0';
		check_line(&t->field[i], t->key[i], at);
		at = end + 1;
	}
	HOLDS(*at == '\0');
	free(text);
}

/* Three decimals, cut; of MiB whole KiB, cut again. */
static bool is_near(const json_t *value, uint64_t number, double unit)
{
	const double wanted = (double)number / unit;

	return json_is_real(value) && fabs(json_real_value(value) - wanted) <= 0.002 + wanted * 1e-12;
}

static void check_value(const struct field *f, const json_t *value, bool shown)
{
	HOLDS(value);
	switch (f->kind) {
	case FIELD_ABSENT:
		HOLDS(json_is_null(value));
		break;
	case FIELD_TEXT:
		HOLDS(json_is_string(value) && strlen(json_string_value(value)) == json_string_length(value));
		HOLDS(is_escaped(f->text, json_string_value(value)));
		HOLDS(is_utf8(json_string_value(value), shown));
		break;
	case FIELD_NUMBER:
		HOLDS(json_is_integer(value) && (uint64_t)json_integer_value(value) == f->number);
		break;
	case FIELD_BOOL:
		HOLDS(json_is_boolean(value) && json_is_true(value) == (f->number != 0));
		break;
	case FIELD_SECONDS:
	case FIELD_SETUP:
		HOLDS(is_near(value, f->number, 1e6));
		break;
	case FIELD_MS:
		HOLDS(is_near(value, f->number, 1e3));
		break;
	case FIELD_MIB:
		HOLDS(is_near(value, f->number, 1048576));
		break;
	}
}

/* `extra`: members that no field tells. Frees the text. */
static void check_json(char *text, const struct told *t, size_t extra, bool shown)
{
	json_error_t why;
	json_t *object;

	HOLDS(is_json_line(text));
	object = json_loads(text, JSON_REJECT_DUPLICATES, &why);
	HOLDS(json_is_object(object));
	HOLDS(json_object_size(object) == t->count + extra);
	for (size_t i = 0; i < t->count; i++)
		check_value(&t->field[i], json_object_get(object, t->key[i]), shown);
	json_decref(object);
	free(text);
}

static void check_result(const struct result *r)
{
	static struct told meta, service;
	char *line = human_line(r);

	HOLDS(is_utf8(line, true));
	free(line);
	meta.count = service.count = 0;
	meta_fields(r, keep, &meta);
	check_lines(r, &meta);
	service_fields(r, false, keep, &meta);
	check_json(meta_json(r), &meta, 0, true);
	service_fields(r, true, keep, &service);
	check_json(audit_line(r), &service, 1, false);	/* and timestamp */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct result r;
	struct input in = { data, size };
	const char **texts[] = { &r.task_id, &r.user, &r.language, &r.policy, &r.root, &r.problem, &r.test };
	const size_t count = sizeof(texts) / sizeof(texts[0]);
	const uint8_t present = input_byte(&in);

	memset(&r, 0, sizeof(r));
	r.when.tv_sec = (time_t)input_number(&in);
	r.when.tv_nsec = (long)(input_number(&in) % 1000000000);
	for (size_t i = 0; i < count; i++)
		if (present >> i & 1)
			*texts[i] = input_text(&in, input_byte(&in));
	for (int i = 0; i < LIMIT_COUNT; i++)
		r.limits.value[i] = input_byte(&in) < 250 ? limit_rows[i].initial : input_number(&in);
	fill_outcome(&in, &r.outcome);
	fill_judgement(&in, &r);
	check_result(&r);
	for (size_t i = 0; i < count; i++)
		free((char *)*texts[i]);
	return 0;
}
