// SPDX-License-Identifier: Apache-2.0
#include "fake_cyw43.hpp"

#include <lwip/dhcp.h>
#include <lwip/etharp.h>
#include <lwip/init.h>
#include <lwip/timeouts.h>
#include <netif/ethernet.h>
#include <pico/cyw43_arch.h>

namespace fake {

unsigned lock_depth;
unsigned locks;
bool has_work;
int join_status;
bool ends_later;

}  // namespace fake

struct async_context {
  async_when_pending_worker_t* worker = nullptr;
};

cyw43_t cyw43_state;

namespace {

async_context the_context;
bool is_running;

netif& station() { return cyw43_state.netif[CYW43_ITF_STA]; }

class Lock {
 public:
  Lock() { cyw43_thread_enter(); }
  ~Lock() { cyw43_thread_exit(); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
};

err_t start_interface(netif* interface) {
  std::uint8_t mac[6];
  fake::read_mac(mac);
  for (std::size_t i = 0; i < sizeof mac; ++i) interface->hwaddr[i] = mac[i];
  interface->hwaddr_len = sizeof mac;
  interface->mtu = 1500;
  interface->flags = NETIF_FLAG_BROADCAST | NETIF_FLAG_ETHARP | NETIF_FLAG_ETHERNET | NETIF_FLAG_IGMP;
  interface->output = etharp_output;
  interface->linkoutput = [](netif*, pbuf* frame) { return fake::send(*frame); };
  return ERR_OK;
}

}  // namespace

void fake::set_link(bool is_up) {
  const Lock lock;
  if (is_up) {
    netif_set_link_up(&station());
  } else {
    netif_set_link_down(&station());
  }
}

extern "C" {

void cyw43_thread_enter() {
  ++fake::lock_depth;
  ++fake::locks;
}
void cyw43_thread_exit() { --fake::lock_depth; }

async_context_t* cyw43_arch_async_context() { return is_running ? &the_context : nullptr; }

int cyw43_arch_init() {
  is_running = true;
  static bool has_lwip;
  const Lock lock;
  if (!has_lwip) lwip_init();
  has_lwip = true;
  return 0;
}
int cyw43_arch_init_with_country(std::uint32_t) { return cyw43_arch_init(); }

void cyw43_arch_deinit() {
  const Lock lock;
  if (netif_is_up(&station()) != 0) {
    dhcp_stop(&station());
    netif_remove(&station());
    station() = {};
  }
  is_running = false;
}

void cyw43_arch_enable_sta_mode() {
  const Lock lock;
  if (!fake::works()) return;
  static_cast<void>(netif_add(&station(), nullptr, nullptr, nullptr, nullptr, start_interface, ethernet_input));
  netif_set_hostname(&station(), "PicoW");
  netif_set_default(&station());
  netif_set_up(&station());
  dhcp_set_struct(&station(), &cyw43_state.dhcp_client);
  static_cast<void>(dhcp_start(&station()));
}

int cyw43_wifi_join(cyw43_t*, std::size_t ssid_size, const std::uint8_t* ssid, std::size_t key_size,
                    const std::uint8_t* key, std::uint32_t auth, const std::uint8_t*, std::uint32_t) {
  const Lock lock;
  fake::join_status = CYW43_LINK_JOIN;
  return fake::join({reinterpret_cast<const char*>(ssid), ssid_size}, {reinterpret_cast<const char*>(key), key_size},
                    auth);
}

int cyw43_wifi_leave(cyw43_t*, int) {
  if (fake::ends_later) return 0;
  fake::set_link(false);
  fake::join_status = CYW43_LINK_DOWN;
  return 0;
}

int cyw43_tcpip_link_status(cyw43_t*, int) {
  if (netif_is_up(&station()) == 0 || netif_is_link_up(&station()) == 0) return fake::join_status;
  return ip4_addr_isany_val(*netif_ip4_addr(&station())) ? CYW43_LINK_NOIP : CYW43_LINK_UP;
}

void cyw43_arch_poll() {
  const Lock lock;
  if (the_context.worker != nullptr && the_context.worker->work_pending) {
    the_context.worker->work_pending = false;
    the_context.worker->do_work(&the_context, the_context.worker);
  }
  fake::receive();
  sys_check_timeouts();
}

// The semaphore of the context remembers work of the time before.
void cyw43_arch_wait_for_work_until(absolute_time_t until) {
  std::uint64_t until_ms = until == at_the_end_of_time ? UINT64_MAX : until / 1'000;
  {
    const Lock lock;
    const std::uint32_t timer_ms = sys_timeouts_sleeptime();
    if (timer_ms != SYS_TIMEOUTS_SLEEPTIME_INFINITE) {
      const std::uint64_t next_ms = make_timeout_time_ms(timer_ms) / 1'000;
      if (next_ms < until_ms) until_ms = next_ms;
    }
  }
  if (!fake::has_work) fake::sleep(until_ms);
  fake::has_work = false;
}

bool async_context_add_when_pending_worker(async_context_t* context, async_when_pending_worker_t* worker) {
  context->worker = worker;
  return true;
}
bool async_context_remove_when_pending_worker(async_context_t* context, async_when_pending_worker_t*) {
  context->worker = nullptr;
  return true;
}
void async_context_set_work_pending(async_context_t*, async_when_pending_worker_t* worker) {
  worker->work_pending = true;
  fake::has_work = true;
}

}  // extern "C"
