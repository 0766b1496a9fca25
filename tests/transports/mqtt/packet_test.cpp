// SPDX-License-Identifier: Apache-2.0
// Reads the packets of a server: valid ones, one packet for each rule that it can break, and each limit. Every stream
// is cut at each byte. The numbers are sections of OASIS MQTT 5.0.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "mcp/mqtt/packet.hpp"
#include "mcp/mqtt/topic.hpp"
#include "transports/mqtt/describe_packets.hpp"
#include "transports/mqtt/hex.hpp"

namespace {

using namespace mcp::mqtt;
using test::describe_packets;
using test::from_hex;

/// The first packet of each connection.
const std::string connected = "20 03 00 00 00";

std::vector<std::string_view> bytes_of(std::string_view text) {
  std::vector<std::string_view> bytes;
  for (std::size_t i = 0; i < text.size(); ++i) bytes.push_back(text.substr(i, 1));
  return bytes;
}

/// Reads a stream in one piece, in two pieces cut at each byte, and byte by byte. All must give the same text.
std::string read_in_every_way(const std::string& hex, std::size_t head_size = 256,
                              std::uint32_t max_packet_size = UINT32_MAX) {
  const std::string stream = from_hex(hex);
  const std::string_view text = stream;
  const std::string whole = describe_packets({text}, head_size, max_packet_size);
  for (std::size_t at = 0; at <= text.size(); ++at) {
    EXPECT_EQ(describe_packets({text.substr(0, at), {}, text.substr(at)}, head_size, max_packet_size), whole)
        << "cut at " << at;
  }
  EXPECT_EQ(describe_packets(bytes_of(text), head_size, max_packet_size), whole);
  return whole;
}

/// Reads what follows CONNACK.
std::string read_connected(const std::string& hex, std::size_t head_size = 256,
                           std::uint32_t max_packet_size = UINT32_MAX) {
  const std::string text = read_in_every_way(connected + hex, head_size, max_packet_size);
  EXPECT_TRUE(text.starts_with("connack 00\n")) << text;
  return text.substr(std::min<std::size_t>(text.size(), 11));
}

struct Row {
  const char* name;
  const char* hex;
  const char* text;
};

// ---- CONNACK -------------------------------------------------------------------------------------------------------

constexpr Row first_packets[] = {
    {"3.2 success", "20 03 00 00 00", "connack 00\n"},
    {"3.2.2.2 each error", "20 03 00 87 00", "connack 87\n"},
    {"3.2.2.3.2 session expiry interval", "20 08 00 00 05 11 00 00 00 00", "connack 00\n"},
    {"3.2.2.3.3 receive maximum", "20 06 00 00 03 21 00 14", "connack 00 receive 20\n"},
    {"3.2.2.3.4 maximum QoS", "20 05 00 00 02 24 01", "connack 00 qos 1\n"},
    {"3.2.2.3.5 retain available", "20 05 00 00 02 25 00", "connack 00 retain 0\n"},
    {"3.2.2.3.6 maximum packet size", "20 08 00 00 05 27 00 01 00 00", "connack 00 size 65536\n"},
    {"3.2.2.3.7 assigned client identifier", "20 08 00 00 05 12 00 02 61 62", "connack 00 client \"ab\"\n"},
    {"3.2.2.3.8 topic alias maximum", "20 06 00 00 03 22 00 00", "connack 00\n"},
    {"3.2.2.3.9 reason string", "20 08 00 80 05 1F 00 02 C3 A9", "connack 80 reason \"\\xc3\\xa9\"\n"},
    {"3.2.2.3.10 user properties: the first of a name", "20 11 00 00 0E 26 00 01 61 00 01 62 26 00 01 61 00 01 63",
     "connack 00 \"a\"=\"b\"\n"},
    {"3.2.2.3.11 wildcard subscription available", "20 05 00 00 02 28 00", "connack 00 wildcard 0\n"},
    {"3.2.2.3.12 subscription identifiers available", "20 05 00 00 02 29 00", "connack 00\n"},
    {"3.2.2.3.13 shared subscription available", "20 05 00 00 02 2A 00", "connack 00 shared 0\n"},
    {"3.2.2.3.14 server keep alive", "20 06 00 00 03 13 00 1E", "connack 00 keep 30\n"},
    {"3.2.2.3.14 server keep alive 0", "20 06 00 00 03 13 00 00", "connack 00 keep 0\n"},
    {"3.2.2.3.16 server reference", "20 07 00 9C 04 1C 00 01 73", "connack 9c server \"s\"\n"},
    {"1.5.5 property length of two bytes",
     "20 84 01 00 00 80 01 1F 00 7D"
     "61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61"
     "61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61"
     "61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61"
     "61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61"
     "61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61",
     "connack 00 reason \""
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"\n"},

    {"3.2 the first packet is CONNACK: PUBLISH", "30 04 00 01 61 00", "failed 82\n"},
    {"3.14 the first packet is CONNACK: DISCONNECT", "E0 01 8B", "failed 82\n"},
    {"3.2 one CONNACK", "20 03 00 00 00 20 03 00 00 00", "connack 00\nfailed 82\n"},
    {"3.2.2.2 nothing after an error", "20 03 00 87 00 20 03 00 00 00", "connack 87\nfailed 82\n"},
    {"3.2.2.2 no DISCONNECT after an error", "20 03 00 87 00 E0 01 8B", "connack 87\nfailed 82\n"},
    {"2.1.3 flags of CONNACK", "21 03 00 00 00", "failed 81\n"},
    {"3.2.2.1 reserved flags", "20 03 02 00 00", "failed 81\n"},
    {"3.2.2.1.1 session present after a clean start", "20 03 01 00 00", "failed 82\n"},
    {"3.2.2.1.1 session present and an error", "20 03 01 87 00", "failed 82\n"},
    {"3.2.2.2 a reason code of other packets", "20 03 00 8B 00", "failed 82\n"},
    {"3.2.2.2 an unknown reason code", "20 03 00 A3 00", "failed 82\n"},
    {"3.2.2.2 success has one code", "20 03 00 01 00", "failed 82\n"},
    {"3.2.2 empty", "20 00", "failed 81\n"},
    {"3.2.2 without a reason code", "20 01 00", "failed 81\n"},
    {"3.2.2 without a property length", "20 02 00 00", "failed 81\n"},
    {"3.2.3 bytes after the properties", "20 04 00 00 00 00", "failed 81\n"},
    {"2.2.2.1 properties that end too early", "20 04 00 00 03 21", "failed 81\n"},
    {"3.2.2.3.3 receive maximum 0", "20 06 00 00 03 21 00 00", "failed 82\n"},
    {"3.2.2.3.4 maximum QoS 2", "20 05 00 00 02 24 02", "failed 82\n"},
    {"3.2.2.3.5 retain available 2", "20 05 00 00 02 25 02", "failed 82\n"},
    {"3.2.2.3.6 maximum packet size 0", "20 08 00 00 05 27 00 00 00 00", "failed 82\n"},
    {"3.2.2.3.11 wildcard subscription available 2", "20 05 00 00 02 28 02", "failed 82\n"},
    {"3.2.2.3.12 subscription identifiers available 2", "20 05 00 00 02 29 02", "failed 82\n"},
    {"3.2.2.3.13 shared subscription available 255", "20 05 00 00 02 2A FF", "failed 82\n"},
    {"3.1.2.11.6 response information without a request", "20 07 00 00 04 1A 00 01 61", "failed 82\n"},
    {"4.12 authentication method without a request", "20 07 00 00 04 15 00 01 61", "failed 82\n"},
    {"4.12 authentication data without a request", "20 07 00 00 04 16 00 01 61", "failed 82\n"},
};

TEST(MqttReader, ReadsTheFirstPacket) {
  for (const Row& row : first_packets) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(read_in_every_way(row.hex), row.text);
  }
}

// ---- Packets after CONNACK -----------------------------------------------------------------------------------------

constexpr Row packets[] = {
    {"3.3 QoS 0", "30 06 00 01 61 00 68 69", "publish \"a\" qos 0 size 2\npayload \"hi\"\n"},
    {"3.3 QoS 1", "32 07 00 01 61 00 07 00 78", "publish \"a\" qos 1 id 7 size 1\npayload \"x\"\n"},
    {"3.3 QoS 2, DUP and retain", "3D 07 00 01 61 FF FF 00 78",
     "publish \"a\" qos 2 id 65535 retain dup size 1\npayload \"x\"\n"},
    {"3.3 without a payload", "31 04 00 01 61 00 D0 00", "publish \"a\" qos 0 retain\npingresp\n"},
    {"3.3 two packets", "30 05 00 01 61 00 31 30 05 00 01 62 00 32",
     "publish \"a\" qos 0 size 1\npayload \"1\"\npublish \"b\" qos 0 size 1\npayload \"2\"\n"},
    {"3.3.2.3.2 payload format", "30 06 00 01 61 02 01 01", "publish \"a\" qos 0 utf8\n"},
    {"3.3.2.3.2 payload format 0", "30 06 00 01 61 02 01 00", "publish \"a\" qos 0\n"},
    {"3.3.2.3.3 message expiry", "30 09 00 01 61 05 02 00 00 01 00", "publish \"a\" qos 0 expiry 256\n"},
    {"3.3.2.3.5 response topic", "30 09 00 01 61 05 08 00 02 62 2F", "publish \"a\" qos 0 response \"b/\"\n"},
    {"3.3.2.3.6 correlation data", "30 09 00 01 61 05 09 00 02 00 FF",
     "publish \"a\" qos 0 correlation \"\\x00\\xff\"\n"},
    {"3.3.2.3.6 empty correlation data", "30 07 00 01 61 03 09 00 00", "publish \"a\" qos 0 correlation \"\"\n"},
    {"3.3.2.3.7 user property", "30 0B 00 01 61 07 26 00 01 62 00 01 63", "publish \"a\" qos 0 \"b\"=\"c\"\n"},
    {"3.3.2.3.7 empty user property", "30 09 00 01 61 05 26 00 00 00 00", "publish \"a\" qos 0 \"\"=\"\"\n"},
    {"3.3.2.3.8 subscription identifiers", "30 09 00 01 61 05 0B 01 0B 80 01", "publish \"a\" qos 0\n"},
    {"3.3.2.3.8 largest subscription identifier", "30 09 00 01 61 05 0B FF FF FF 7F", "publish \"a\" qos 0\n"},
    {"3.3.2.3.9 content type", "30 08 00 01 61 04 03 00 01 74", "publish \"a\" qos 0 type \"t\"\n"},
    {"1.5.4 topic in UTF-8", "30 07 00 04 F0 9F 98 80 00", "publish \"\\xf0\\x9f\\x98\\x80\" qos 0\n"},
    {"1.5.4 U+FEFF stays", "30 06 00 03 EF BB BF 00", "publish \"\\xef\\xbb\\xbf\" qos 0\n"},
    {"3.4 PUBACK", "40 02 00 01", "puback id 1 00\n"},
    {"3.4 PUBACK with a reason code", "40 03 00 01 10", "puback id 1 10\n"},
    {"3.4 PUBACK with an empty property length", "40 04 00 01 87 00", "puback id 1 87\n"},
    {"3.4 PUBACK with properties", "40 0F 00 01 87 0B 1F 00 01 78 26 00 01 61 00 01 62",
     "puback id 1 87 reason \"x\" \"a\"=\"b\"\n"},
    {"3.5 PUBREC", "50 03 00 02 91", "pubrec id 2 91\n"},
    {"3.6 PUBREL", "62 02 00 03", "pubrel id 3 00\n"},
    {"3.7 PUBCOMP", "70 03 00 04 92", "pubcomp id 4 92\n"},
    {"3.9 SUBACK", "90 06 00 05 00 00 01 02", "suback id 5 00 01 02\n"},
    {"3.9 SUBACK with an error and a reason string", "90 08 00 05 04 1F 00 01 78 87", "suback id 5 87 reason \"x\"\n"},
    {"3.11 UNSUBACK", "B0 05 00 06 00 00 11", "unsuback id 6 00 11\n"},
    {"3.13 PINGRESP", "D0 00", "pingresp\n"},
    {"3.14 DISCONNECT", "E0 00", "disconnect 00\n"},
    {"3.14 DISCONNECT with a reason code", "E0 01 8B", "disconnect 8b\n"},
    {"3.14 DISCONNECT with an empty property length", "E0 02 8E 00", "disconnect 8e\n"},
    {"3.14 DISCONNECT with properties", "E0 0A 9D 08 1C 00 01 73 1F 00 01 78",
     "disconnect 9d reason \"x\" server \"s\"\n"},
};

TEST(MqttReader, ReadsEachPacket) {
  for (const Row& row : packets) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(read_connected(row.hex), row.text);
  }
}

/// Packets with a fault. The text is the reason code.
constexpr Row malformed_packets[] = {
    {"2.1.2 reserved type", "00 00", "81"},
    {"2.1.2 AUTH without a method", "F0 00", "82"},
    {"2.1.2 CONNECT comes from clients", "10 00", "82"},
    {"2.1.2 SUBSCRIBE comes from clients", "82 00", "82"},
    {"2.1.2 UNSUBSCRIBE comes from clients", "A2 00", "82"},
    {"2.1.2 PINGREQ comes from clients", "C0 00", "82"},
    {"2.1.3 flags of PUBACK", "42 02 00 01", "81"},
    {"2.1.3 flags of PUBREC", "51 02 00 01", "81"},
    {"2.1.3 flags of PUBREL", "60 02 00 01", "81"},
    {"2.1.3 flags of PUBREL", "63 02 00 01", "81"},
    {"2.1.3 flags of PUBCOMP", "72 02 00 01", "81"},
    {"2.1.3 flags of SUBACK", "92 04 00 01 00 00", "81"},
    {"2.1.3 flags of UNSUBACK", "B8 04 00 01 00 00", "81"},
    {"2.1.3 flags of PINGRESP", "D1 00", "81"},
    {"2.1.3 flags of DISCONNECT", "E4 00", "81"},
    {"1.5.5 remaining length of 5 bytes", "30 80 80 80 80 01", "81"},
    {"1.5.5 remaining length in two bytes instead of one", "D0 80 00", "81"},
    {"1.5.5 remaining length in three bytes instead of two", "40 82 80 00 00 01", "81"},
    {"1.5.5 property length in two bytes instead of one", "40 05 00 01 00 80 00", "81"},
    {"1.5.5 property length of PUBLISH in two bytes instead of one", "30 05 00 01 61 80 00", "81"},
    {"1.5.5 property length of 5 bytes", "30 08 00 01 61 80 80 80 80 01", "81"},
    {"1.5.5 property length that the packet cuts", "40 04 00 01 00 80", "81"},
    {"1.5.5 subscription identifier in two bytes instead of one", "30 07 00 01 61 03 0B 81 00", "81"},
    {"1.5.5 subscription identifier that the properties cut", "30 07 00 01 61 02 0B 81 01", "81"},
    {"3.3.1.1 DUP with QoS 0", "38 04 00 01 61 00", "82"},
    {"3.3.1.2 QoS 3", "36 06 00 01 61 00 01 00", "81"},
    {"3.3.1.2 QoS 3 with DUP", "3E 06 00 01 61 00 01 00", "81"},
    {"3.3.2 empty", "30 00", "81"},
    {"3.3.2 half a topic length", "30 01 00", "81"},
    {"3.3.2 without a topic", "30 02 00 01", "81"},
    {"3.3.2 topic beyond the packet", "30 04 00 02 61 00", "81"},
    {"3.3.2 without a property length", "30 03 00 01 61", "81"},
    {"3.3.2 half a packet identifier", "32 04 00 01 61 00", "81"},
    {"3.3.2 QoS 1 without a property length", "32 05 00 01 61 00 01", "81"},
    {"3.3.2.3.1 properties beyond the packet", "30 06 00 01 61 03 01 01", "81"},
    {"3.3.2.3.1 property length beyond the packet", "30 04 00 01 61 80", "81"},
    {"3.3.2.1 empty topic without an alias", "30 03 00 00 00", "82"},
    {"3.3.2.1 topic with +", "30 06 00 03 61 2F 2B 00", "82"},
    {"3.3.2.1 topic with #", "30 04 00 01 23 00", "82"},
    {"1.5.4 topic with U+0000", "30 06 00 03 61 00 62 00", "81"},
    {"1.5.4 topic with a surrogate", "30 06 00 03 ED A0 80 00", "81"},
    {"1.5.4 topic with half a character", "30 04 00 01 C3 00", "81"},
    {"1.5.4 topic with an overlong character", "30 05 00 02 C0 AF 00", "81"},
    {"1.5.4 topic above U+10FFFF", "30 07 00 04 F4 90 80 80 00", "81"},
    {"2.2.1 packet identifier 0 of PUBLISH", "32 06 00 01 61 00 00 00", "82"},
    {"3.3.2.3.2 payload format 2", "30 06 00 01 61 02 01 02", "82"},
    {"3.3.2.3.2 payload format twice", "30 08 00 01 61 04 01 01 01 01", "82"},
    {"3.3.2.3.3 message expiry twice", "30 0E 00 01 61 0A 02 00 00 00 01 02 00 00 00 01", "82"},
    {"3.3.2.3.4 topic alias", "30 07 00 01 61 03 23 00 01", "94"},
    {"3.3.2.3.4 topic alias 0", "30 07 00 01 61 03 23 00 00", "94"},
    {"3.3.2.3.4 topic alias without a topic", "30 06 00 00 03 23 00 01", "94"},
    {"3.3.2.3.5 response topic with +", "30 08 00 01 61 04 08 00 01 2B", "82"},
    {"3.3.2.3.5 response topic with #", "30 08 00 01 61 04 08 00 01 23", "82"},
    {"4.7.3 empty response topic", "30 07 00 01 61 03 08 00 00", "82"},
    {"1.5.4 response topic with U+0000", "30 08 00 01 61 04 08 00 01 00", "81"},
    {"3.3.2.3.5 response topic twice", "30 0C 00 01 61 08 08 00 01 62 08 00 01 62", "82"},
    {"3.3.2.3.6 correlation data twice", "30 0A 00 01 61 06 09 00 00 09 00 00", "82"},
    {"1.5.6 correlation data beyond the properties", "30 08 00 01 61 04 09 00 02 00 00", "81"},
    {"1.5.4 user property with an invalid name", "30 0B 00 01 61 07 26 00 01 FF 00 01 63", "81"},
    {"1.5.4 user property with an invalid value", "30 0B 00 01 61 07 26 00 01 62 00 01 00", "81"},
    {"1.5.7 user property without a value", "30 08 00 01 61 04 26 00 01 62", "81"},
    {"1.5.7 user property with half a length", "30 09 00 01 61 05 26 00 01 62 00", "81"},
    {"3.3.2.3.8 subscription identifier 0", "30 06 00 01 61 02 0B 00", "82"},
    {"3.3.2.3.9 content type twice", "30 0A 00 01 61 06 03 00 00 03 00 00", "82"},
    {"1.5.4 content type with a surrogate", "30 0A 00 01 61 06 03 00 03 ED BF BF", "81"},
    {"2.2.2.2 unknown property", "30 06 00 01 61 02 04 00", "81"},
    {"2.2.2.2 property identifier of two bytes", "30 07 00 01 61 03 81 00 01", "81"},
    {"2.2.2.2 receive maximum in PUBLISH", "30 07 00 01 61 03 21 00 01", "81"},
    {"2.2.2.2 will delay comes from clients", "30 09 00 01 61 05 18 00 00 00 01", "81"},
    {"2.2.2.2 reason string in PUBLISH", "30 07 00 01 61 03 1F 00 00", "81"},
    {"2.2.2.2 content type in PUBACK", "40 07 00 01 00 03 03 00 00", "81"},
    {"2.2.2.2 server reference in SUBACK", "90 07 00 01 03 1C 00 00 00", "81"},
    {"2.2.2.2 receive maximum in DISCONNECT", "E0 05 00 03 21 00 01", "81"},
    {"2.2.2.2 four bytes beyond the properties", "30 08 00 01 61 04 02 00 00 00", "81"},
    {"2.2.2.2 two bytes beyond the properties", "30 06 00 01 61 02 23 00", "81"},
    {"2.2.2.2 a byte beyond the properties", "30 05 00 01 61 01 01", "81"},
    {"2.2.1 packet identifier 0 of PUBACK", "40 02 00 00", "82"},
    {"2.2.1 packet identifier 0 of SUBACK", "90 04 00 00 00 00", "82"},
    {"3.4 empty PUBACK", "40 00", "81"},
    {"3.4 half a packet identifier", "40 01 00", "81"},
    {"3.4.2.1 unknown reason code of PUBACK", "40 03 00 01 01", "82"},
    {"3.4.2.1 reason code of SUBACK in PUBACK", "40 03 00 01 A1", "82"},
    {"3.4.2.2 reason string twice", "40 0A 00 01 00 06 1F 00 00 1F 00 00", "82"},
    {"3.4.2.2 properties shorter than the packet", "40 05 00 01 00 00 00", "81"},
    {"3.4.2.2 properties longer than the packet", "40 05 00 01 00 02 00", "81"},
    {"3.5.2.1 unknown reason code of PUBREC", "50 03 00 01 92", "82"},
    {"3.6.2.1 unknown reason code of PUBREL", "62 03 00 01 80", "82"},
    {"3.7.2.1 unknown reason code of PUBCOMP", "70 03 00 01 10", "82"},
    {"3.9 SUBACK without properties", "90 02 00 01", "81"},
    {"3.9.3 SUBACK without a reason code", "90 03 00 01 00", "82"},
    {"3.9.3 unknown reason code of SUBACK", "90 05 00 01 00 00 03", "82"},
    {"3.9.3 reason code of UNSUBACK in SUBACK", "90 04 00 01 00 11", "82"},
    {"3.11.3 UNSUBACK without a reason code", "B0 03 00 01 00", "82"},
    {"3.11.3 reason code of SUBACK in UNSUBACK", "B0 04 00 01 00 01", "82"},
    {"3.13 PINGRESP with contents", "D0 01 00", "81"},
    {"3.14.2.1 DISCONNECT with the will comes from clients", "E0 01 04", "82"},
    {"3.14.2.1 reason code of CONNACK in DISCONNECT", "E0 01 86", "82"},
    {"3.14.2.1 reason code above all", "E0 01 FF", "82"},
    {"3.14.2.2.2 session expiry interval of a server", "E0 07 00 05 11 00 00 00 01", "82"},
    {"3.14.2.2 properties shorter than the packet", "E0 03 00 00 00", "81"},
    {"3.14.2.2.5 server reference twice", "E0 08 9C 06 1C 00 00 1C 00 00", "82"},
};

TEST(MqttReader, RejectsEachFault) {
  for (const Row& row : malformed_packets) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(read_connected(row.hex), std::string("failed ") + row.text + "\n");
    // The packet fails also between others.
    EXPECT_EQ(read_connected(std::string("D0 00 ") + row.hex + "D0 00"),
              std::string("pingresp\nfailed ") + row.text + "\n");
  }
}

TEST(MqttReader, RejectsPacketsAfterDisconnect) {
  EXPECT_EQ(read_connected("E0 00 D0 00"), "disconnect 00\nfailed 82\n");
  EXPECT_EQ(read_connected("E0 01 8B 20 03 00 00 00"), "disconnect 8b\nfailed 82\n");
}

// 3.2.2.2, 3.4.2.1, 3.5.2.1, 3.6.2.1, 3.7.2.1, 3.9.3, 3.11.3 and 3.14.2.1.
TEST(MqttReader, AcceptsTheReasonCodesOfEachPacket) {
  const std::set<unsigned> puback = {0x00, 0x10, 0x80, 0x83, 0x87, 0x90, 0x91, 0x97, 0x99};
  const struct {
    const char* before;
    const char* after;
    std::set<unsigned> codes;
  } rows[] = {
      {"20 03 00", "00", {0x00, 0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89,
                          0x8A, 0x8C, 0x90, 0x95, 0x97, 0x99, 0x9A, 0x9B, 0x9C, 0x9D, 0x9F}},
      {"40 03 00 01", "", puback},
      {"50 03 00 01", "", puback},
      {"62 03 00 01", "", {0x00, 0x92}},
      {"70 03 00 01", "", {0x00, 0x92}},
      {"90 04 00 01 00", "", {0x00, 0x01, 0x02, 0x80, 0x83, 0x87, 0x8F, 0x91, 0x97, 0x9E, 0xA1, 0xA2}},
      {"B0 04 00 01 00", "", {0x00, 0x11, 0x80, 0x83, 0x87, 0x8F, 0x91}},
      {"E0 01", "", {0x00, 0x80, 0x81, 0x82, 0x83, 0x87, 0x89, 0x8B, 0x8D, 0x8E, 0x8F, 0x90, 0x93, 0x94,
                     0x95, 0x96, 0x97, 0x98, 0x99, 0x9A, 0x9B, 0x9C, 0x9D, 0x9E, 0x9F, 0xA0, 0xA1, 0xA2}},
  };
  for (const auto& row : rows) {
    for (unsigned code = 0; code < 256; ++code) {
      std::string stream = from_hex(row.before) + static_cast<char>(code) + from_hex(row.after);
      if (stream[0] != 0x20) stream = from_hex(connected) + stream;
      const bool accepted = describe_packets({stream}).find("failed") == std::string::npos;
      EXPECT_EQ(accepted, row.codes.contains(code)) << row.before << " " << code;
    }
  }
}

// A short packet does not have the members of the packet before it.
TEST(MqttReader, ForgetsThePacketBefore) {
  const std::string publish = "32 0D 00 01 61 00 05 07 26 00 01 62 00 01 63";
  const std::string text = "publish \"a\" qos 1 id 5 \"b\"=\"c\"\n";
  EXPECT_EQ(read_connected(publish + "40 02 00 07"), text + "puback id 7 00\n");
  EXPECT_EQ(read_connected(publish + "30 04 00 01 64 00"), text + "publish \"d\" qos 0\n");
  EXPECT_EQ(read_connected(publish + "E0 00"), text + "disconnect 00\n");
  EXPECT_EQ(read_connected("40 0B 00 07 10 07 26 00 01 62 00 01 63 62 02 00 08 E0 01 8B"),
            "puback id 7 10 \"b\"=\"c\"\npubrel id 8 00\ndisconnect 8b\n");
  // The second one does not fit.
  EXPECT_EQ(read_connected(publish + "30 0C 00 09 61 61 61 61 61 61 61 61 61 00", 8), text + "too_large qos 0\n");
}

// ---- Limits --------------------------------------------------------------------------------------------------------

// 3.1.2.11.4: the fixed header counts, too.
TEST(MqttReaderLimits, RejectsPacketsAboveTheMaximumPacketSize) {
  const std::string publish = "30 06 00 01 61 00 68 69";
  EXPECT_EQ(read_connected(publish, 256, 8), "publish \"a\" qos 0 size 2\npayload \"hi\"\n");
  EXPECT_EQ(read_connected(publish, 256, 7), "failed 95\n");
  EXPECT_EQ(read_connected("30 FF FF FF 7F", 256, 268'435'459), "failed 95\n");
  EXPECT_EQ(read_connected("30 FF FF FF 7F", 256, 268'435'460), "");
  // A remaining length of two bytes.
  EXPECT_EQ(read_connected("30 80 01", 256, 131), "");
  EXPECT_EQ(read_connected("30 80 01", 256, 130), "failed 95\n");
}

TEST(MqttReaderLimits, RejectsOtherPacketsThatDoNotFit) {
  EXPECT_EQ(read_in_every_way(connected, 2), "connack 00\n");
  EXPECT_EQ(read_in_every_way(connected, 1), "failed 95\n");
  EXPECT_EQ(read_in_every_way(connected, 0), "failed 95\n");
  // Numbers and reason codes must fit.
  const std::string numbers = "20 0B 00 00 08 27 00 00 01 00 21 00 05";
  EXPECT_EQ(read_in_every_way(numbers, 10), "connack 00 receive 5 size 256\n");
  EXPECT_EQ(read_in_every_way(numbers, 9), "failed 95\n");
  EXPECT_EQ(read_connected("90 05 00 05 00 01 87", 4), "suback id 5 01 87\n");
  EXPECT_EQ(read_connected("90 05 00 05 00 01 87", 3), "failed 95\n");
  EXPECT_EQ(read_connected("40 03 00 07 10", 2), "failed 95\n");
}

TEST(MqttReaderLimits, DropsStringsThatDoNotFit) {
  const std::string suback = "90 08 00 05 04 1F 00 01 78 87";
  EXPECT_EQ(read_connected(suback, 7), "suback id 5 87 reason \"x\"\n");
  for (std::size_t head_size = 3; head_size <= 6; ++head_size) {
    EXPECT_EQ(read_connected(suback, head_size), "suback id 5 87\n") << head_size;
  }
  EXPECT_EQ(read_connected("40 0C 00 07 10 08 26 00 01 62 00 02 63 63", 8), "puback id 7 10\n");
  EXPECT_EQ(read_connected("E0 06 8B 04 1F 00 01 78", 4), "disconnect 8b\n");
  // A number after a string that does not fit, and before another one.
  const std::string connack = "20 1A 00 00 17 1F 00 03 61 61 61 21 00 05 26 00 01 62 00 01 63 1C 00 04 62 62 62 62";
  EXPECT_EQ(read_in_every_way(connack, 5), "connack 00 receive 5\n");
  // A dropped string is checked if it fits.
  EXPECT_EQ(read_connected("40 08 00 07 10 04 1F 00 01 FF", 7), "failed 81\n");
  EXPECT_EQ(read_connected("40 08 00 07 10 04 1F 00 01 FF", 6), "puback id 7 10\n");
}

// The reader of a device whose packets are larger than its head.
TEST(MqttReaderLimits, KeepsTheNamedUserPropertyAlone) {
  constexpr std::string_view name = "MCP-COMPONENT-TYPE";
  const auto text = [](const std::string& identifier, const std::string& value) {
    return identifier + static_cast<char>(value.size() >> 8U) + static_cast<char>(value.size()) + value;
  };
  const auto pair = [&](std::string_view key, const std::string& value) {
    return text("\x26", std::string(key)) + text("", value);
  };
  const auto connack = [](const std::string& properties) {
    const auto integer = [](std::size_t size) {
      return std::string{static_cast<char>(size % 128 | 128U), static_cast<char>(size / 128)};
    };
    return '\x20' + integer(properties.size() + 4) + std::string(2, '\0') + integer(properties.size()) + properties;
  };
  const auto read = [&](const std::string& stream, std::size_t head_size = 64) {
    const std::string whole = describe_packets({stream}, head_size, UINT32_MAX, name);
    EXPECT_EQ(describe_packets(bytes_of(stream), head_size, UINT32_MAX, name), whole);
    return whole;
  };
  const std::string others = pair("a", std::string(50, 'b')) + pair(std::string(500, 'a'), "b");
  const std::string reason = text("\x1F", std::string(1000, 'r'));
  const std::string number("\x21\0\x05", 3);
  EXPECT_EQ(read(connack(others + reason + pair(name, "this") + number + text("\x1C", "other") + others)),
            "connack 00 receive 5 \"MCP-COMPONENT-TYPE\"=\"this\"\n");
  EXPECT_EQ(read(connack(pair(name, std::string(200, 'x')))), "failed 95\n");
  // Without space for a single byte of a string, it is dropped all the same.
  EXPECT_EQ(read(connack(number + reason + pair("a", "b")), 5), "connack 00 receive 5\n");
}

// The topic has 4 bytes and the properties have 7. CONNACK needs a head of 3 bytes.
TEST(MqttReaderLimits, SkipsPublishThatDoesNotFit) {
  const std::string publish = "3B 12 00 04 61 2F 62 2F 01 02 07 01 01 02 00 00 00 05";
  for (std::size_t head_size = 3; head_size <= 12; ++head_size) {
    SCOPED_TRACE(head_size);
    const bool fits = head_size >= 11;
    const std::string head = "publish \"a/b/\" qos 1 id 258 retain dup size 2 expiry 5 utf8\n";
    const std::string skipped = "too_large qos 1 id 258 retain dup\n";
    EXPECT_EQ(read_connected(publish + "C3 C3 40 02 00 07", head_size),
              (fits ? head + "payload \"\\xc3\\xc3\"\n" : skipped) + "puback id 7 00\n");
    // The packet is reported when its last byte is there.
    EXPECT_EQ(read_connected(publish + "C3", head_size), fits ? head + "part of a payload \"\\xc3\"\n" : "");
  }
}

TEST(MqttReaderLimits, SkipsPublishWithoutPayload) {
  EXPECT_EQ(read_connected("30 07 00 04 61 61 61 61 00 D0 00", 3), "too_large qos 0\npingresp\n");
  EXPECT_EQ(read_connected("30 0A 00 01 61 06 03 00 03 61 61 61 D0 00", 3), "too_large qos 0\npingresp\n");
}

TEST(MqttReaderLimits, SkipsPublishWithTheLongestTopic) {
  const std::string stream =
      from_hex(connected + "32 85 80 04 FF FF") + std::string(0xFFFF, 'a') + from_hex("00 09 00 78 D0 00");
  EXPECT_EQ(describe_packets({stream}), "connack 00\ntoo_large qos 1 id 9\npingresp\n");
  EXPECT_EQ(describe_packets(bytes_of(stream)), "connack 00\ntoo_large qos 1 id 9\npingresp\n");
  EXPECT_EQ(describe_packets({stream}, 0x10000).substr(0, 30), "connack 00\npublish \"aaaaaaaaaa");
}

// The packet identifier and the lengths of a skipped packet are checked.
TEST(MqttReaderLimits, RejectsFaultsOfSkippedPublish) {
  EXPECT_EQ(read_connected("32 09 00 04 61 61 61 61 00 00 00", 3), "failed 82\n");
  EXPECT_EQ(read_connected("30 06 00 05 61 61 61 61", 3), "failed 81\n");
  EXPECT_EQ(read_connected("30 08 00 04 61 61 61 61 02 01", 3), "failed 81\n");
  EXPECT_EQ(read_connected("30 08 00 04 61 61 61 61 80 00", 3), "failed 81\n");
  EXPECT_EQ(read_connected("3A 06 00 04 61 61 61 61", 3), "failed 81\n");
}

TEST(MqttReaderLimits, ReadsPayloadsOfTwoLengthBytes) {
  const std::string payload(200, 'p');
  const std::string stream = from_hex(connected + "30 CC 01 00 01 61 00") + payload + from_hex("D0 00");
  const std::string text = "connack 00\npublish \"a\" qos 0 size 200\npayload \"" + payload + "\"\npingresp\n";
  EXPECT_EQ(describe_packets({stream}), text);
  EXPECT_EQ(describe_packets(bytes_of(stream)), text);
}

// An incomplete packet is neither accepted nor rejected.
TEST(MqttReader, WaitsForTheRestOfAPacket) {
  for (const Row& row : packets) {
    SCOPED_TRACE(row.name);
    const std::string stream = from_hex(connected + row.hex);
    for (std::size_t at = 5; at < stream.size(); ++at) {
      const std::string text = describe_packets({std::string_view(stream).substr(0, at)});
      EXPECT_EQ(text.find("failed"), std::string::npos) << "cut at " << at;
    }
  }
}

TEST(MqttReader, ReturnsMoreForNoBytes) {
  std::vector<char> head(16);
  PacketReader reader(head);
  const PacketReader::Result result = reader.read({});
  EXPECT_EQ(result.event, PacketReader::Event::more);
  EXPECT_EQ(result.used, 0u);
  EXPECT_EQ(reader.fault(), Reason::success);
}

// Replaces each byte of a stream by each value. The sanitizers detect a read beyond the end.
TEST(MqttReader, NeverReadsBeyondAChangedPacket) {
  const std::string stream = from_hex(connected +
                                      "32 17 00 01 61 00 07 0F 01 01 08 00 01 62 0B 05 26 00 01 61 00 01 62 78 79"
                                      "90 0A 00 05 04 1F 00 01 78 00 01 87 40 02 00 07 E0 06 8B 04 1C 00 01 73");
  ASSERT_EQ(describe_packets({stream}).find("failed"), std::string::npos) << describe_packets({stream});
  for (std::size_t at = 0; at < stream.size(); ++at) {
    for (unsigned byte = 0; byte < 256; ++byte) {
      std::string changed = stream;
      changed[at] = static_cast<char>(byte);
      EXPECT_EQ(describe_packets({changed}, 24), describe_packets(bytes_of(changed), 24)) << at << " " << byte;
    }
  }
}

// ---- Topics --------------------------------------------------------------------------------------------------------

TEST(MqttTopic, ChecksTopicNames) {
  for (const std::string_view valid : {"a", "/", "a b", "$mcp-server/presence/1/x", "\xC3\xA9", "//", "$share"})
    EXPECT_TRUE(is_valid_topic(valid)) << valid;
  using namespace std::string_view_literals;
  for (const std::string_view invalid : {""sv, "+"sv, "a/#"sv, "a\0b"sv, "\xC3"sv, "\xED\xA0\x80"sv, "a+b"sv})
    EXPECT_FALSE(is_valid_topic(invalid)) << invalid;
  EXPECT_TRUE(is_valid_topic(std::string(0xFFFF, 'a')));
  EXPECT_FALSE(is_valid_topic(std::string(0x10000, 'a')));
}

TEST(MqttTopic, ChecksStrings) {
  using namespace std::string_view_literals;
  EXPECT_TRUE(is_valid_string(""));
  EXPECT_TRUE(is_valid_string("+#\x01\xEF\xBF\xBF\xF4\x8F\xBF\xBF"));
  for (const std::string_view invalid : {"\0"sv, "\xC1\x81"sv, "\xE0\x80\x80"sv, "\x80"sv, "\xF5\x80\x80\x80"sv})
    EXPECT_FALSE(is_valid_string(invalid));
  EXPECT_TRUE(is_valid_string(std::string(0xFFFF, 'a')));
  EXPECT_FALSE(is_valid_string(std::string(0x10000, 'a')));
}

// 4.7.1 and 4.8.2.
TEST(MqttTopic, ChecksTopicFilters) {
  for (const std::string_view valid : {"a", "#", "+", "/", "/+", "+/", "a/#", "a/+/b", "+/+/#", "/#", "a/+",
                                       "$share/g/a", "$share/g/#", "$share/g//", "$share", "$SYS/#"})
    EXPECT_TRUE(is_valid_filter(valid)) << valid;
  for (const std::string_view invalid :
       {"", "a#", "a+", "+a", "#/", "a/#/b", "##", "++", "a/b+/c", "$share/", "$share/g", "$share//a", "$share/g/",
        "$share/+/a", "$share/g#/a", "$share/g/a#", "\xFF"})
    EXPECT_FALSE(is_valid_filter(invalid)) << invalid;
  EXPECT_FALSE(is_valid_filter(std::string(0x10000, 'a')));
}

}  // namespace
