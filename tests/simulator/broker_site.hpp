// SPDX-License-Identifier: Apache-2.0
// The device behind a broker.
#pragma once

#include <memory>

#include "simulator/site.hpp"

namespace sim {

/// A seed selects the limits of the device and of the broker. `simulation.faults` has the faults of the network.
std::unique_ptr<Site> make_broker_site(Simulation& simulation);

}  // namespace sim
