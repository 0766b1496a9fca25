/* SPDX-License-Identifier: Apache-2.0 */
/* What QEMU's stm32vldiscovery lacks, in place of functions of the HAL (--wrap of the linker), be it ST's or the fake:
   the clock, an LM75 at 0x48 on I2C1, which is warm while the LED LD2 is on, and the interrupts of the transmitter. */
#include "main.h"

#define REG(address) (*(volatile uint32_t*)(address))

/* ---- Clock: 24 MHz, without a PLL -------------------------------------------------------------------------------- */

HAL_StatusTypeDef __wrap_HAL_RCC_OscConfig(RCC_OscInitTypeDef* init) {
  return init->PLL.PLLState == RCC_PLL_ON ? HAL_OK : HAL_ERROR;
}

HAL_StatusTypeDef __wrap_HAL_RCC_ClockConfig(RCC_ClkInitTypeDef* init, uint32_t latency) {
  if (init->SYSCLKSource != RCC_SYSCLKSOURCE_PLLCLK || latency != FLASH_LATENCY_2) return HAL_ERROR;
  SystemCoreClock = 24000000U;
  return HAL_InitTick(TICK_INT_PRIORITY);
}

/* ---- USART2 ------------------------------------------------------------------------------------------------------ */

void __real_HAL_UART_IRQHandler(UART_HandleTypeDef* huart);
HAL_StatusTypeDef __real_HAL_UART_Transmit_IT(UART_HandleTypeDef* huart, const uint8_t* data, uint16_t size);
HAL_StatusTypeDef __real_HAL_UART_Receive_IT(UART_HandleTypeDef* huart, uint8_t* data, uint16_t size);

#define INTERRUPT_BIT (1UL << USART2_IRQn % 32)
#define NVIC_ENABLE REG(0xE000E104)
#define NVIC_DISABLE REG(0xE000E184)
#define NVIC_RAISE REG(0xE000E204)

/* QEMU 7.2 raises no interrupt of the transmitter, which is always free. */
static void raise_transmit_interrupt(const UART_HandleTypeDef* huart) {
  if ((huart->Instance->CR1 & (USART_CR1_TXEIE | USART_CR1_TCIE)) != 0U) NVIC_RAISE = INTERRUPT_BIT;
}

/* The interrupt of QEMU stays raised while a byte waits, whatever its mask says. */
void __wrap_HAL_UART_IRQHandler(UART_HandleTypeDef* huart) {
  __real_HAL_UART_IRQHandler(huart);
  raise_transmit_interrupt(huart);
  if ((huart->Instance->CR1 & (USART_CR1_RXNEIE | USART_CR1_TXEIE | USART_CR1_TCIE)) == 0U)
    NVIC_DISABLE = INTERRUPT_BIT;
}

HAL_StatusTypeDef __wrap_HAL_UART_Transmit_IT(UART_HandleTypeDef* huart, const uint8_t* data, uint16_t size) {
  const HAL_StatusTypeDef status = __real_HAL_UART_Transmit_IT(huart, data, size);
  NVIC_ENABLE = INTERRUPT_BIT;
  raise_transmit_interrupt(huart);
  return status;
}

HAL_StatusTypeDef __wrap_HAL_UART_Receive_IT(UART_HandleTypeDef* huart, uint8_t* data, uint16_t size) {
  const HAL_StatusTypeDef status = __real_HAL_UART_Receive_IT(huart, data, size);
  NVIC_ENABLE = INTERRUPT_BIT;
  return status;
}

/* ---- Pins and I2C1 ----------------------------------------------------------------------------------------------- */

void __real_HAL_GPIO_WritePin(GPIO_TypeDef* port, uint16_t pin, GPIO_PinState state);

static uint8_t is_led_on;
static uint32_t i2c_error;

void __wrap_HAL_GPIO_WritePin(GPIO_TypeDef* port, uint16_t pin, GPIO_PinState state) {
  if (port == LD2_GPIO_Port && pin == LD2_Pin) is_led_on = state == GPIO_PIN_SET;
  __real_HAL_GPIO_WritePin(port, pin, state);
}

/* Pull-ups. */
GPIO_PinState __wrap_HAL_GPIO_ReadPin(GPIO_TypeDef* port, uint16_t pin) {
  (void)port;
  (void)pin;
  return GPIO_PIN_SET;
}

static HAL_StatusTypeDef address(const I2C_HandleTypeDef* hi2c, uint16_t address) {
  const int is_there = hi2c->Instance == I2C1 && address == 0x48 << 1;
  i2c_error = is_there ? HAL_I2C_ERROR_NONE : HAL_I2C_ERROR_AF;
  return is_there ? HAL_OK : HAL_ERROR;
}

HAL_StatusTypeDef __wrap_HAL_I2C_Init(I2C_HandleTypeDef* hi2c) {
  HAL_I2C_MspInit(hi2c);
  return hi2c->Init.ClockSpeed == 100000U ? HAL_OK : HAL_ERROR;
}
HAL_StatusTypeDef __wrap_HAL_I2C_DeInit(I2C_HandleTypeDef* hi2c) {
  HAL_I2C_MspDeInit(hi2c);
  return HAL_OK;
}
HAL_StatusTypeDef __wrap_HAL_I2C_Master_Transmit(I2C_HandleTypeDef* hi2c, uint16_t to, uint8_t* data, uint16_t size,
                                                 uint32_t limit_ms) {
  (void)data;
  (void)size;
  (void)limit_ms;
  return address(hi2c, to);
}
HAL_StatusTypeDef __wrap_HAL_I2C_Master_Receive(I2C_HandleTypeDef* hi2c, uint16_t from, uint8_t* data, uint16_t size,
                                                uint32_t limit_ms) {
  (void)limit_ms;
  for (uint16_t i = 0; i < size; ++i) data[i] = 0;
  return address(hi2c, from);
}
/* 30.5 degrees with the LED, else 21.5. */
HAL_StatusTypeDef __wrap_HAL_I2C_Mem_Read(I2C_HandleTypeDef* hi2c, uint16_t from, uint16_t at, uint16_t at_size,
                                          uint8_t* data, uint16_t size, uint32_t limit_ms) {
  (void)limit_ms;
  const uint8_t temperature[] = {is_led_on ? 0x1E : 0x15, 0x80};
  for (uint16_t i = 0; i < size; ++i) data[i] = at == 0 && at_size == I2C_MEMADD_SIZE_8BIT ? temperature[i % 2] : 0;
  return address(hi2c, from);
}
HAL_StatusTypeDef __wrap_HAL_I2C_IsDeviceReady(I2C_HandleTypeDef* hi2c, uint16_t to, uint32_t trials,
                                               uint32_t limit_ms) {
  (void)trials;
  (void)limit_ms;
  return address(hi2c, to);
}
uint32_t __wrap_HAL_I2C_GetError(const I2C_HandleTypeDef* hi2c) {
  (void)hi2c;
  return i2c_error;
}

/* ---- The end of the emulator ------------------------------------------------------------------------------------- */

static void end(uint32_t status) {
  const uint32_t block[] = {0x20026, status};       /* ADP_Stopped_ApplicationExit */
  register uint32_t operation __asm__("r0") = 0x20; /* SYS_EXIT_EXTENDED */
  register const uint32_t* argument __asm__("r1") = block;
  __asm__ volatile("bkpt 0xab" ::"r"(operation), "r"(argument) : "memory");
}

void __wrap_HardFault_Handler(void) { end(101); }
void __wrap_Error_Handler(void) { end(102); }
