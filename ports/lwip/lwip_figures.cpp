// SPDX-License-Identifier: Apache-2.0
#include "mcp/ports/lwip_figures.hpp"

#include <lwip/memp.h>
#include <lwip/stats.h>

#include <string_view>

#if !MEM_STATS || !MEMP_STATS
#error "lwip_figures.hpp needs MEM_STATS and MEMP_STATS: mote_lwip(NAME CONNECTIONS STATS), or lwipopts.h"
#endif

namespace mcp::lwip {
namespace {

struct Pool {
  memp_t number;
  std::string_view name;
};

constexpr Pool pools[] = {
    {MEMP_TCP_PCB, "lwip_connections"}, {MEMP_TCP_SEG, "lwip_segments"},     {MEMP_PBUF_POOL, "lwip_frames"},
    {MEMP_PBUF, "lwip_references"},     {MEMP_SYS_TIMEOUT, "lwip_timeouts"},
#if LWIP_UDP
    {MEMP_UDP_PCB, "lwip_udp"},
#endif
};

PoolFigures figures_of(const stats_mem& stats) {
  return {.size = static_cast<std::uint32_t>(stats.avail),
          .used = static_cast<std::uint32_t>(stats.used),
          .high_water = static_cast<std::uint32_t>(stats.max),
          .full = static_cast<std::uint32_t>(stats.err)};
}

}  // namespace

void add_memory(FigureWriter& out) {
  out.memory("lwip_heap", figures_of(lwip_stats.mem));
  for (const Pool& pool : pools) out.pool(pool.name, figures_of(*lwip_stats.memp[pool.number]));
}

}  // namespace mcp::lwip
