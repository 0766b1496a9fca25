// SPDX-License-Identifier: Apache-2.0
// The port for projects of STM32CubeMX against a fake of the HAL and of the receiver of a USART.
#include "mcp/ports/stm32_hal.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using mcp::stm32::Uart;

constexpr std::uint32_t receive_flag = USART_SR_RXNE;
constexpr std::uint32_t error_flags = USART_SR_FE | USART_SR_NE | USART_SR_ORE;

// The state of the fake.
struct Chip {
  std::uint32_t primask = 0;
  bool is_in_interrupt = false;
  std::uint32_t tick = 0;
  unsigned sleeps = 0;
  std::function<void()> during_sleep;
  std::optional<HAL_StatusTypeDef> next_status;  // of the next call of the HAL
  std::uint32_t flags_read = 0;                  // in the last read of SR
  std::function<void()> before_data;             // what the wire does before the next read of DR
  unsigned interrupts = 0;
  std::vector<UART_HandleTypeDef*> uarts;
};
Chip chip;

// As the registers of the HAL: the main loop must not be interrupted in these functions.
std::optional<HAL_StatusTypeDef> begin_call() {
  EXPECT_TRUE(chip.is_in_interrupt || chip.primask == 1) << "an interrupt could come here";
  return std::exchange(chip.next_status, std::nullopt);
}

void interrupt(const std::function<void()>& handler) {
  EXPECT_EQ(chip.primask, 0U);
  ++chip.interrupts;
  chip.is_in_interrupt = true;
  handler();
  chip.is_in_interrupt = false;
}

void end_reception(UART_HandleTypeDef* huart) {
  huart->Instance->CR1 = 0;
  huart->Instance->CR3 = 0;
  huart->RxState = HAL_UART_STATE_READY;
}

// UART_Receive_IT of stm32f4xx_hal_driver v1.8.3.
void receive_byte(UART_HandleTypeDef* huart) {
  if (huart->RxState != HAL_UART_STATE_BUSY_RX) return;
  *huart->pRxBuffPtr = static_cast<std::uint8_t>(stub_read_dr(huart->Instance));
  if (--huart->RxXferCount != 0) return;
  end_reception(huart);
  HAL_UART_RxCpltCallback(huart);
}

// HAL_UART_IRQHandler of stm32f4xx_hal_driver v1.8.3, for 8 bits without parity or DMA. It reads DR for a byte only. A
// callback that starts a reception clears the error code, so that an overrun with a byte does not end that reception.
void handle(UART_HandleTypeDef* huart) {
  USART_TypeDef& usart = *huart->Instance;
  const std::uint32_t flags = stub_read_sr(&usart);
  const bool has_byte = (flags & USART_SR_RXNE) != 0 && (usart.CR1 & USART_CR1_RXNEIE) != 0;
  if ((flags & error_flags) == 0) {
    if (has_byte) receive_byte(huart);
    return;
  }
  if ((flags & USART_SR_NE) != 0) huart->ErrorCode |= HAL_UART_ERROR_NE;
  if ((flags & USART_SR_FE) != 0) huart->ErrorCode |= HAL_UART_ERROR_FE;
  if ((flags & USART_SR_ORE) != 0) huart->ErrorCode |= HAL_UART_ERROR_ORE;
  if (has_byte) receive_byte(huart);
  if ((huart->ErrorCode & HAL_UART_ERROR_ORE) != 0) {
    end_reception(huart);
    HAL_UART_ErrorCallback(huart);
  } else {
    HAL_UART_ErrorCallback(huart);
    huart->ErrorCode = HAL_UART_ERROR_NONE;
  }
}

// RM0090, 30.4: RXNEIE is for RXNE and ORE, EIE is for the errors (of DMA; the HAL sets it always).
bool is_pending(const USART_TypeDef& usart) {
  return (usart.CR1 & USART_CR1_RXNEIE) != 0 && (usart.SR & (USART_SR_RXNE | USART_SR_ORE)) != 0;
}

void run_interrupts() {
  if (chip.is_in_interrupt || chip.primask != 0) return;
  for (UART_HandleTypeDef* const huart : chip.uarts) {
    for (unsigned i = 0; i < 1000 && is_pending(*huart->Instance); ++i) interrupt([&] { handle(huart); });
  }
}

// A UART whose handle no other test has, because the objects of the port stay.
struct Wire {
  UART_HandleTypeDef* handle = make_handle();
  Uart& uart = *new Uart(handle);

  static UART_HandleTypeDef* make_handle() {
    auto* const handle = new UART_HandleTypeDef{};
    handle->Instance = new USART_TypeDef{};
    handle->RxState = HAL_UART_STATE_READY;
    chip.uarts.push_back(handle);
    return handle;
  }

  // A byte comes from the wire. While another one is in the register, it is lost, and ORE is set.
  void arrive(char byte, std::uint32_t damage = 0) const {
    USART_TypeDef& usart = *handle->Instance;
    if ((usart.SR & USART_SR_RXNE) != 0) {
      usart.SR |= USART_SR_ORE;
    } else {
      usart.DR = static_cast<unsigned char>(byte);
      usart.SR |= USART_SR_RXNE | damage;
    }
    run_interrupts();
  }
  void receive(std::string_view bytes) const {
    for (const char byte : bytes) arrive(byte);
  }

  // What the transmitter sends, and the end of that.
  std::string sent() {
    std::string all(reinterpret_cast<const char*>(handle->pTxBuffPtr), handle->TxXferCount);
    handle->TxXferCount = 0;
    interrupt([&] { HAL_UART_TxCpltCallback(handle); });
    return all;
  }

  std::string read(std::size_t size = 64) {
    std::string part(size, '\0');
    const mcp::IoResult result = uart.read(part);
    EXPECT_EQ(result.status, result.size != 0 ? mcp::IoStatus::ok : mcp::IoStatus::would_block);
    return part.substr(0, result.size);
  }
};

// Takes an event that another test has left.
void clear_event() {
  mcp::stm32::wake();
  mcp::stm32::wait_for_event(mcp::forever);
}

TEST(Stm32Hal, CarriesBytesBothWays) {
  Wire wire;
  EXPECT_EQ(wire.read(), "");
  wire.receive("hello");
  EXPECT_EQ(wire.read(3), "hel");
  EXPECT_EQ(wire.read(), "lo");
  EXPECT_EQ(wire.uart.write(std::string_view("world")).size, 5U);
  EXPECT_EQ(wire.sent(), "world");
  EXPECT_EQ(wire.uart.errors(), 0U);
}

TEST(Stm32Hal, WipesTheBytesThatWereRead) {
  Wire wire;
  const auto contains = [&](std::string_view text) {
    return std::string_view(reinterpret_cast<const char*>(&wire.uart), sizeof wire.uart).find(text) !=
           std::string_view::npos;
  };
  wire.receive("a-secret");
  EXPECT_EQ(wire.read(), "a-secret");
  EXPECT_TRUE(contains("a-secret"));
  wire.uart.wipe();
  EXPECT_FALSE(contains("a-") || contains("et"));
  wire.receive("keep");
  wire.uart.wipe();
  EXPECT_EQ(wire.read(), "keep");
}

TEST(Stm32Hal, CopiesAChunkAndBlocksUntilItIsSent) {
  Wire wire;
  std::string text(Uart::chunk_size + 1, 'a');
  EXPECT_EQ(wire.uart.write(text).size, Uart::chunk_size);
  text.assign(text.size(), 'b');
  EXPECT_EQ(wire.uart.write(text).status, mcp::IoStatus::would_block);
  EXPECT_EQ(wire.sent(), std::string(Uart::chunk_size, 'a'));
  EXPECT_EQ(wire.uart.write(std::string_view(text).substr(0, 1)).size, 1U);
  EXPECT_EQ(wire.sent(), "b");
}

TEST(Stm32Hal, ABusyTransmitterDelaysAWriteAndAnErrorEndsIt) {
  Wire wire;
  chip.next_status = HAL_BUSY;
  EXPECT_EQ(wire.uart.write(std::string_view("a")).status, mcp::IoStatus::would_block);
  chip.next_status = HAL_ERROR;
  EXPECT_EQ(wire.uart.write(std::string_view("a")).status, mcp::IoStatus::failed);
  EXPECT_EQ(wire.uart.write(std::string_view("a")).size, 1U);
  EXPECT_EQ(wire.sent(), "a");
}

TEST(Stm32Hal, AFullRingStopsReceptionAndAReadStartsIt) {
  Wire wire;
  wire.receive("12345678");
  EXPECT_EQ(wire.handle->RxState, HAL_UART_STATE_READY);
  wire.receive("9");  // stays in the register
  EXPECT_EQ(wire.read(4), "1234");
  EXPECT_EQ(wire.handle->RxState, HAL_UART_STATE_BUSY_RX);
  EXPECT_EQ(wire.read(), "56789");
  EXPECT_EQ(wire.uart.errors(), 0U);
}

TEST(Stm32Hal, MarksBytesThatWereLostWhileTheRingWasFull) {
  Wire wire;
  wire.receive("123456789x");  // x overruns 9
  EXPECT_EQ(wire.read(), "12345678");
  wire.receive("\n");
  EXPECT_EQ(wire.read(), "9\xFF\n");
  EXPECT_EQ(wire.uart.errors(), 1U);
}

TEST(Stm32Hal, MarksALossWhenTheRingHasSpaceForTheMark) {
  Wire wire;
  wire.receive("1234567");
  // The last place is for this byte, and the error comes with it.
  wire.arrive('8', USART_SR_NE);
  EXPECT_EQ(wire.uart.errors(), 1U);
  EXPECT_EQ(wire.read(), "12345678");
  EXPECT_EQ(wire.read(), "\xFF");
  wire.receive("\n");
  EXPECT_EQ(wire.read(), "\n");
}

TEST(Stm32Hal, TheMarkOfALossComesBeforeLaterBytes) {
  Wire wire;
  wire.receive("1234567");
  // Reception goes on after this error, with the mark in the last place: the next byte finds no space.
  interrupt([&] { HAL_UART_ErrorCallback(wire.handle); });
  wire.receive("x");
  EXPECT_EQ(wire.uart.errors(), 2U);
  EXPECT_EQ(wire.read(2), "12");
  wire.receive("y");
  EXPECT_EQ(wire.read(), "34567\xFF\xFFy");
  EXPECT_EQ(wire.uart.errors(), 2U);
}

// The second byte is lost while the handler takes the first: the overrun stays without a byte in the register.
TEST(Stm32Hal, AnOverrunWithoutAByteIsOneInterrupt) {
  Wire wire;
  chip.interrupts = 0;
  chip.before_data = [&] { wire.arrive('x'); };
  wire.receive("a");
  EXPECT_EQ(chip.interrupts, 2U);
  EXPECT_EQ(wire.handle->Instance->SR, 0U);
  wire.receive("b");
  EXPECT_EQ(chip.interrupts, 3U);
  EXPECT_EQ(wire.uart.errors(), 1U);
  EXPECT_EQ(wire.read(),
            "a\xFF"
            "b");
}

TEST(Stm32Hal, ReceivesAByteThatComesBeforeTheInterruptOfAnOverrun) {
  Wire wire;
  chip.before_data = [&] { wire.arrive('x'); };
  chip.primask = 1;
  wire.arrive('a');
  chip.primask = 0;
  interrupt([&] { handle(wire.handle); });
  wire.arrive('b');
  EXPECT_EQ(wire.uart.errors(), 1U);
  EXPECT_EQ(wire.read(), "ab\xFF");
}

// The HALs of other families read the byte or not, and call back.
TEST(Stm32Hal, LeavesAByteThatWaitsWithAnOverrun) {
  Wire wire;
  chip.primask = 1;
  wire.receive("bx");
  chip.primask = 0;
  interrupt([&] { HAL_UART_ErrorCallback(wire.handle); });
  run_interrupts();
  EXPECT_EQ(wire.read(),
            "\xFF"
            "b\xFF");
}

TEST(Stm32Hal, TriesAgainWhenTheReceptionDoesNotStart) {
  chip.next_status = HAL_ERROR;
  Wire wire;
  EXPECT_EQ(wire.handle->RxState, HAL_UART_STATE_READY);
  EXPECT_EQ(wire.read(), "");
  wire.receive("a");
  EXPECT_EQ(wire.read(), "a");
}

TEST(Stm32Hal, EachUartHasItsObjectAndOthersAreIgnored) {
  Wire one;
  Wire two;
  one.receive("1");
  two.receive("2");
  EXPECT_EQ(one.read(), "1");
  EXPECT_EQ(two.read(), "2");
  UART_HandleTypeDef other{};
  interrupt([&] {
    HAL_UART_RxCpltCallback(&other);
    HAL_UART_TxCpltCallback(&other);
    HAL_UART_ErrorCallback(&other);
  });
  EXPECT_EQ(one.uart.errors() + two.uart.errors(), 0U);
}

TEST(Stm32Hal, TheTickIsTheClock) {
  chip.tick = 0xFFFF'FFFF;
  EXPECT_EQ(mcp::stm32::millis(), 0xFFFF'FFFFU);
}

TEST(Stm32Hal, SleepsUntilTheLimitAlsoWhenTheTickWraps) {
  clear_event();
  chip.tick = 0xFFFF'FFFE;
  chip.sleeps = 0;
  chip.during_sleep = [] { ++chip.tick; };
  mcp::stm32::wait_for_event(5);
  EXPECT_EQ(chip.tick, 3U);
  EXPECT_EQ(chip.sleeps, 5U);
  EXPECT_EQ(chip.primask, 0U);
}

TEST(Stm32Hal, EveryEventEndsTheSleep) {
  Wire wire;
  const std::function<void()> events[] = {[] { mcp::stm32::wake(); }, [&] { HAL_UART_TxCpltCallback(wire.handle); },
                                          [&] { HAL_UART_RxCpltCallback(wire.handle); },
                                          [&] { HAL_UART_ErrorCallback(wire.handle); }};
  for (const auto& event : events) {
    clear_event();
    chip.sleeps = 0;
    chip.during_sleep = [&] {
      if (chip.sleeps == 3) event();
    };
    mcp::stm32::wait_for_event(mcp::forever);
    EXPECT_EQ(chip.sleeps, 3U);
  }
}

TEST(Stm32Hal, AReaderOfLinesSleepsUntilALineHasEnded) {
  Wire wire;
  wire.uart.read_lines();
  clear_event();
  chip.sleeps = 0;
  chip.during_sleep = [&] {
    wire.arrive(chip.sleeps == 3 ? '\n' : 'a');
    handle(wire.handle);
  };
  mcp::stm32::wait_for_event(mcp::forever);
  chip.during_sleep = [] {};
  EXPECT_EQ(chip.sleeps, 3U);
  EXPECT_EQ(wire.read(), "aa\n");
}

TEST(Stm32Hal, AnEventBeforeTheSleepIsNotLost) {
  clear_event();
  chip.sleeps = 0;
  mcp::stm32::wake();
  mcp::stm32::wait_for_event(mcp::forever);
  mcp::stm32::wait_for_event(0);
  EXPECT_EQ(chip.sleeps, 0U);
}

}  // namespace

// ---- The fake ------------------------------------------------------------------------------------------------------

extern "C" {

HAL_StatusTypeDef HAL_UART_Transmit_IT(UART_HandleTypeDef* huart, const uint8_t* pData, uint16_t Size) {
  if (const auto status = begin_call()) return *status;
  if (huart->TxXferCount != 0) return HAL_BUSY;
  if (pData == nullptr || Size == 0) return HAL_ERROR;
  huart->pTxBuffPtr = pData;
  huart->TxXferCount = Size;
  return HAL_OK;
}

// UART_Start_Receive_IT of v1.8.3: it clears the error code, and no flag of the receiver.
HAL_StatusTypeDef HAL_UART_Receive_IT(UART_HandleTypeDef* huart, uint8_t* pData, uint16_t Size) {
  if (const auto status = begin_call()) return *status;
  if (huart->RxState != HAL_UART_STATE_READY) return HAL_BUSY;
  if (pData == nullptr || Size == 0) return HAL_ERROR;
  huart->pRxBuffPtr = pData;
  huart->RxXferCount = Size;
  huart->ErrorCode = HAL_UART_ERROR_NONE;
  huart->RxState = HAL_UART_STATE_BUSY_RX;
  huart->Instance->CR3 = USART_CR3_EIE;
  huart->Instance->CR1 = USART_CR1_RXNEIE;
  return HAL_OK;
}

// RM0090, 30.6.1: a read of SR, then one of DR, clear the errors that the first one has seen.
uint32_t stub_read_sr(USART_TypeDef* usart) {
  chip.flags_read = usart->SR;
  return usart->SR;
}
uint32_t stub_read_dr(USART_TypeDef* usart) {
  if (const auto wire = std::exchange(chip.before_data, nullptr)) wire();
  usart->SR &= ~(receive_flag | (std::exchange(chip.flags_read, 0) & error_flags));
  return usart->DR;
}

uint32_t HAL_GetTick() { return chip.tick; }
uint32_t __get_PRIMASK() { return chip.primask; }
void __set_PRIMASK(uint32_t priMask) {
  chip.primask = priMask;
  run_interrupts();
}
void __disable_irq() { chip.primask = 1; }
void __DSB() {}

// An interrupt ends the sleep, and runs when interrupts are on again; here it runs at once.
void __WFI() {
  EXPECT_EQ(chip.primask, 1U) << "an event between the look and the sleep would be lost";
  ++chip.sleeps;
  ASSERT_LT(chip.sleeps, 100U);
  chip.is_in_interrupt = true;
  chip.during_sleep();
  chip.is_in_interrupt = false;
}

// Not called: a failed assertion does not return.
void Error_Handler() { std::abort(); }
}
