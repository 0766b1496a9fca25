// What the files of this folder share among themselves. Knows nothing an application may use.
#pragma once

namespace board {

/// 50 MHz from the board's 8 MHz crystal, and a tick every millisecond. Called once, before main().
void start_clock();

}  // namespace board

extern "C" void systick_handler();
