// A plugin for QEMU that counts the instructions of a board's processor between two sleeps: from one `wfi` to the next.
// It prints a number, as a line, each time the processor was awake and executed one of the marked addresses, such as
// the handler of the UART's interrupt. It ignores other wake-ups, such as those of a timer. With a lap, such as a
// function that the main loop calls in each turn, a second number is the most instructions between two of its
// executions. With `causes`, it prints a line for each time the processor was awake, and a second number has a bit for
// each mark that was executed, the first mark in bit 0. Knows the encoding of `wfi` on Arm and RISC-V, and no board.
//
// usage: qemu-system-… -plugin counter.so,out=DESCRIPTOR,mark=ADDRESS[,mark=ADDRESS]…[,lap=ADDRESS | ,causes=on]
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The parts of version 1 of QEMU's plugin interface ("QEMU TCG Plugins") that this file needs. Debian has no header for
// it.
struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef uint64_t PluginId;
enum { inline_add_u64 = 0, callback_reads_no_registers = 0 };
void qemu_plugin_register_vcpu_tb_trans_cb(PluginId id, void (*callback)(PluginId, struct qemu_plugin_tb*));
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb* block);
struct qemu_plugin_insn* qemu_plugin_tb_get_insn(const struct qemu_plugin_tb* block, size_t index);
const void* qemu_plugin_insn_data(const struct qemu_plugin_insn* instruction);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn* instruction);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn* instruction);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn* instruction, int operation, void* to,
                                                uint64_t value);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn* instruction,
                                            void (*callback)(unsigned processor, void* context), int flags,
                                            void* context);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

enum { max_marks = 8 };
static uint64_t marks[max_marks];
static size_t mark_count;
static int out = -1;
static uint64_t lap;
static bool has_lap;
static uint64_t executed;  // since the last sleep
static uint64_t at_last_lap;
static uint64_t longest_lap;
static bool has_causes;
static unsigned marked;  // a bit for each mark

static void at_mark(unsigned processor, void* context) {
  (void)processor;
  marked |= 1u << ((const uint64_t*)context - marks);
}

static void at_lap(unsigned processor, void* context) {
  (void)processor, (void)context;
  const uint64_t passed = executed - at_last_lap;
  if (passed > longest_lap) longest_lap = passed;
  at_last_lap = executed;
}

static void at_sleep(unsigned processor, void* context) {
  at_lap(processor, context);
  if (marked != 0 || has_causes) {
    char line[48];
    int size = snprintf(line, sizeof line, "%llu", (unsigned long long)executed);
    if (has_lap) size += snprintf(line + size, sizeof line - (size_t)size, " %llu", (unsigned long long)longest_lap);
    if (has_causes) size += snprintf(line + size, sizeof line - (size_t)size, " %u", marked);
    line[size++] = '\n';
    if (write(out, line, (size_t)size) != size) _exit(1);
  }
  marked = 0;
  executed = at_last_lap = longest_lap = 0;
}

static bool is_sleep(const struct qemu_plugin_insn* instruction) {
  static const uint8_t arm[] = {0x30, 0xBF};
  static const uint8_t riscv[] = {0x73, 0x00, 0x50, 0x10};
  const size_t size = qemu_plugin_insn_size(instruction);
  const void* const bytes = qemu_plugin_insn_data(instruction);
  return (size == sizeof arm && memcmp(bytes, arm, size) == 0) ||
         (size == sizeof riscv && memcmp(bytes, riscv, size) == 0);
}

static void translated(PluginId id, struct qemu_plugin_tb* block) {
  (void)id;
  for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); ++i) {
    struct qemu_plugin_insn* const instruction = qemu_plugin_tb_get_insn(block, i);
    qemu_plugin_register_vcpu_insn_exec_inline(instruction, inline_add_u64, &executed, 1);
    for (size_t mark = 0; mark < mark_count; ++mark) {
      if (qemu_plugin_insn_vaddr(instruction) == marks[mark])
        qemu_plugin_register_vcpu_insn_exec_cb(instruction, at_mark, callback_reads_no_registers, &marks[mark]);
    }
    if (has_lap && qemu_plugin_insn_vaddr(instruction) == lap)
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, at_lap, callback_reads_no_registers, NULL);
    if (is_sleep(instruction))
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, at_sleep, callback_reads_no_registers, NULL);
  }
}

__attribute__((visibility("default"))) int qemu_plugin_install(PluginId id, const void* info, int argc, char** argv) {
  (void)info;
  for (int i = 0; i < argc; ++i) {
    if (strncmp(argv[i], "out=", 4) == 0) {
      out = atoi(argv[i] + 4);
    } else if (strncmp(argv[i], "mark=", 5) == 0 && mark_count != max_marks) {
      marks[mark_count++] = strtoull(argv[i] + 5, NULL, 16);
    } else if (strncmp(argv[i], "lap=", 4) == 0 && !has_lap) {
      lap = strtoull(argv[i] + 4, NULL, 16);
      has_lap = true;
    } else if (strcmp(argv[i], "causes=on") == 0) {
      has_causes = true;
    } else {
      return 1;
    }
  }
  if (out < 0 || mark_count == 0) return 1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  return 0;
}
