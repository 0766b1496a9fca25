// SPDX-License-Identifier: Apache-2.0
// The functions of ESP-IDF that examples/esp_idf/wifi calls in addition to those of sdk.cpp. All fail: the image shows
// the size and the stack of mote and the example, and does not run.
#include <fcntl.h>
#include <sys/poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <esp_event.h>
#include <esp_netif.h>
#include <esp_netif_sntp.h>
#include <esp_pm.h>
#include <esp_random.h>
#include <esp_wifi.h>
#include <freertos/FreeRTOS.h>
#include <freertos/task.h>
#include <mdns.h>
#include <nvs.h>
#include <nvs_flash.h>
#include <cerrno>

esp_event_base_t const WIFI_EVENT = "WIFI_EVENT";
esp_event_base_t const IP_EVENT = "IP_EVENT";

extern "C" {
void* __dso_handle;
int __cxa_atexit(void (*)(void*), void*, void*) { return 0; }
thread_local int errno;

esp_err_t esp_event_loop_create_default() { return ESP_FAIL; }
esp_err_t esp_event_handler_instance_register(esp_event_base_t, int32_t, esp_event_handler_t, void*,
                                              esp_event_handler_instance_t*) {
  return ESP_FAIL;
}
esp_err_t esp_event_handler_instance_unregister(esp_event_base_t, int32_t, esp_event_handler_instance_t) {
  return ESP_FAIL;
}
esp_err_t esp_netif_init() { return ESP_FAIL; }
esp_err_t esp_netif_set_hostname(esp_netif_t*, const char*) { return ESP_FAIL; }
esp_err_t esp_netif_get_ip_info(esp_netif_t*, esp_netif_ip_info_t*) { return ESP_FAIL; }
esp_err_t esp_netif_sntp_init(const esp_sntp_config_t*) { return ESP_FAIL; }
esp_netif_t* esp_netif_create_default_wifi_sta() { return nullptr; }
void esp_netif_destroy_default_wifi(void*) {}
esp_err_t esp_pm_configure(const void*) { return ESP_FAIL; }
esp_err_t esp_wifi_init(const wifi_init_config_t*) { return ESP_FAIL; }
esp_err_t esp_wifi_deinit() { return ESP_FAIL; }
esp_err_t esp_wifi_start() { return ESP_FAIL; }
esp_err_t esp_wifi_stop() { return ESP_FAIL; }
esp_err_t esp_wifi_connect() { return ESP_FAIL; }
esp_err_t esp_wifi_disconnect() { return ESP_FAIL; }
esp_err_t esp_wifi_set_config(wifi_interface_t, wifi_config_t*) { return ESP_FAIL; }
esp_err_t esp_wifi_set_mode(wifi_mode_t) { return ESP_FAIL; }
esp_err_t esp_wifi_set_storage(wifi_storage_t) { return ESP_FAIL; }
esp_err_t mdns_init() { return ESP_FAIL; }
esp_err_t mdns_hostname_set(const char*) { return ESP_FAIL; }
esp_err_t mdns_instance_name_set(const char*) { return ESP_FAIL; }
esp_err_t mdns_service_add(const char*, const char*, const char*, uint16_t, mdns_txt_item_t[], size_t) {
  return ESP_FAIL;
}
esp_err_t nvs_flash_init() { return ESP_FAIL; }
esp_err_t nvs_flash_erase() { return ESP_FAIL; }
esp_err_t nvs_open_from_partition(const char*, const char*, nvs_open_mode_t, nvs_handle_t*) { return ESP_FAIL; }
void nvs_close(nvs_handle_t) {}
esp_err_t nvs_find_key(nvs_handle_t, const char*, nvs_type_t*) { return ESP_FAIL; }
esp_err_t nvs_get_blob(nvs_handle_t, const char*, void*, size_t*) { return ESP_FAIL; }
esp_err_t nvs_set_blob(nvs_handle_t, const char*, const void*, size_t) { return ESP_FAIL; }
esp_err_t nvs_erase_key(nvs_handle_t, const char*) { return ESP_FAIL; }
esp_err_t nvs_commit(nvs_handle_t) { return ESP_FAIL; }

int lwip_socket(int, int, int) { return -1; }
int lwip_accept(int, sockaddr*, socklen_t*) { return -1; }
int lwip_bind(int, const sockaddr*, socklen_t) { return -1; }
int lwip_listen(int, int) { return -1; }
int lwip_getsockname(int, sockaddr*, socklen_t*) { return -1; }
int lwip_setsockopt(int, int, int, const void*, socklen_t) { return -1; }
int lwip_shutdown(int, int) { return -1; }
ssize_t lwip_recv(int, void*, size_t, int) { return -1; }
ssize_t lwip_send(int, const void*, size_t, int) { return -1; }
int lwip_inet_pton(int, const char*, void*) { return -1; }
uint16_t lwip_htons(uint16_t number) { return static_cast<uint16_t>(number << 8 | number >> 8); }
uint32_t lwip_htonl(uint32_t number) { return __builtin_bswap32(number); }
int fcntl(int, int, ...) { return -1; }
int close(int) { return -1; }
int poll(pollfd*, nfds_t, int) { return -1; }
int gettimeofday(timeval*, void*) { return -1; }
}

void esp_fill_random(void*, size_t) {}
void vPortYieldFromISR() {}
BaseType_t xPortInIsrContext() { return 0; }
BaseType_t xTaskNotifyGive(TaskHandle_t) { return 0; }
