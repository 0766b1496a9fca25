// SPDX-License-Identifier: Apache-2.0
/* lwIP as this port needs it: IPv4 and TCP without an operating system, every byte of memory counted out for
   MOTE_LWIP_CONNECTIONS connections. An application with a lwIP of its own has its own lwipopts.h:
   mcp/ports/lwip_options.h checks it. */
#pragma once

/* The stack of a Network: its handshakes are lwip_handshake.cpp's. */
#define MOTE_LWIP_STACK 1

/* Connections of clients and to servers at the same time, and the longest IP packet in either direction, in bytes. The least that every
   host must take is 576; 1500 is faster and takes three times the memory. (CMake: the variables of these names.) */
#ifndef MOTE_LWIP_CONNECTIONS
#define MOTE_LWIP_CONNECTIONS 4
#endif
#ifndef MOTE_LWIP_MTU
#define MOTE_LWIP_MTU 576
#endif
#ifndef MOTE_LWIP_DHCP
#define MOTE_LWIP_DHCP 1
#endif
/* Detection of a lease that another device uses (RFC 5227). */
#ifndef MOTE_LWIP_ACD
#define MOTE_LWIP_ACD 0
#endif
/* The options of mote_lwip(): names (lwip_mdns.hpp), the time of day (lwip_sntp.hpp) and the names of servers
   (lwip_dialer.hpp). */
#ifndef MOTE_LWIP_MDNS
#define MOTE_LWIP_MDNS 0
#endif
#ifndef MOTE_LWIP_SNTP
#define MOTE_LWIP_SNTP 0
#endif
#ifndef MOTE_LWIP_DNS
#define MOTE_LWIP_DNS 0
#endif
/* The figures of lwIP's memory (lwip_figures.hpp). */
#ifndef MOTE_LWIP_STATS
#define MOTE_LWIP_STATS 0
#endif

#define NO_SYS 1
#define SYS_LIGHTWEIGHT_PROT 0 /* no interrupt calls lwIP */
#define LWIP_SOCKET 0
#define LWIP_NETCONN 0
#define LWIP_STATS MOTE_LWIP_STATS
#if MOTE_LWIP_STATS
#define MEM_STATS 1
#define MEMP_STATS 1
#define LINK_STATS 0
#define ETHARP_STATS 0
#define IP_STATS 0
#define IPFRAG_STATS 0
#define ICMP_STATS 0
#define IGMP_STATS 0
#define UDP_STATS 0
#define TCP_STATS 0
#define SYS_STATS 0
#endif
#define LWIP_RAW 0
#define LWIP_IPV4 1
#define LWIP_IPV6 0
#define LWIP_ICMP 1
#define LWIP_UDP (MOTE_LWIP_DHCP || MOTE_LWIP_MDNS || MOTE_LWIP_SNTP || MOTE_LWIP_DNS)
#define LWIP_DHCP MOTE_LWIP_DHCP
#define LWIP_DHCP_DOES_ACD_CHECK MOTE_LWIP_ACD
#define LWIP_DNS MOTE_LWIP_DNS
#define LWIP_IGMP MOTE_LWIP_MDNS

/* Times of a lease in seconds (lwip_dhcp.cpp). A lease counts as 10 s at least, and as a day at most, so that a server
   that has moved gets a request soon. It is renewed after half of it, however late the server wants that. */
#define DHCP_DEFINE_CUSTOM_TIMEOUTS 1
#define DHCP_TIMEOUT_SIZE_T u32_t
#define DHCP_COARSE_TIMER_SECS 1
#define MOTE_LWIP_LEASE(offered, shortest, longest) LWIP_MAX((shortest), LWIP_MIN((offered), (longest)))
#define DHCP_SET_TIMEOUT_FROM_OFFERED_T0_LEASE(result, dhcp) \
  ((result) = MOTE_LWIP_LEASE((dhcp)->offered_t0_lease, 10, 86400))
#define DHCP_SET_TIMEOUT_FROM_OFFERED_T1_RENEW(result, dhcp) \
  ((result) = MOTE_LWIP_LEASE((dhcp)->offered_t1_renew, 5, (dhcp)->t0_timeout / 2))
#define DHCP_SET_TIMEOUT_FROM_OFFERED_T2_REBIND(result, dhcp) \
  ((result) = MOTE_LWIP_LEASE((dhcp)->offered_t2_rebind, 8, (dhcp)->t0_timeout * 7 / 8))
#define DHCP_NEXT_TIMEOUT_THRESHOLD LWIP_MIN(60, dhcp->t0_timeout / 10)
#define DHCP_REQUEST_BACKOFF_SEQUENCE(tries) (u16_t)(LWIP_MIN(60, 1 << LWIP_MIN(tries, 6)) * 1000)

#define IP_FRAG 0
#define IP_REASSEMBLY 0
#define IP_FORWARD 0
#define ARP_QUEUEING 0 /* the newest packet for an address that is asked for is kept, no more */
#define ARP_TABLE_SIZE 6
#define ETH_PAD_SIZE 2 /* puts the words of the IP header at addresses that divide by 4 */

/* ---- Names and time ---- */

#define LWIP_MDNS_RESPONDER MOTE_LWIP_MDNS
#define LWIP_MDNS_SEARCH 0
#define MDNS_MAX_SERVICES 1
#define MDNS_MAX_STORED_PKTS 1 /* lwip_mdns.cpp sees to it that none is */
#define MDNS_OUTPUT_PACKET_SIZE 512
#define MDNS_RESP_USENETIF_EXTCALLBACK 0
#define LWIP_NUM_NETIF_CLIENT_DATA MOTE_LWIP_MDNS
#ifndef MEMP_NUM_IGMP_GROUP
#define MEMP_NUM_IGMP_GROUP 2 /* of each interface: all systems, and mDNS */
#endif

/* Two look-ups at the same time, each with the name, and from a random port. */
#if MOTE_LWIP_DNS
#define DNS_TABLE_SIZE 2
#define DNS_MAX_NAME_LENGTH 254
#define DNS_MAX_SERVERS 2
#endif

#define LWIP_DHCP_GET_NTP_SRV (MOTE_LWIP_DHCP && MOTE_LWIP_SNTP)
#define LWIP_DHCP_MAX_NTP_SERVERS 1

/* ---- TCP: what a connection may have on its way, in bytes ---- */

#define LWIP_TCP 1
#define LWIP_TCP_KEEPALIVE 1
#define TCP_LISTEN_BACKLOG 0 /* lwip_handshake.cpp keeps no half-open clients */
#define TCP_MSS (MOTE_LWIP_MTU - 40)
#define TCP_WND (2 * TCP_MSS) /* as many bytes are in each TcpConnection */
#define TCP_SND_BUF (2 * TCP_MSS)
#define TCP_SND_QUEUELEN 4
#define TCP_SNDLOWAT (TCP_MSS)
#define TCP_SNDQUEUELOWAT 2
#define TCP_OVERSIZE 0    /* what is written takes what it needs, not a segment */
#define TCP_QUEUE_OOSEQ 0 /* what comes too early is sent again: with two segments on their way it is at most one */
#define LWIP_TCP_TIMESTAMPS 0

/* The sequence number that a connection begins with cannot be guessed; a listener's are lwip_handshake.cpp's. */
#define LWIP_HOOK_TCP_ISN(local_ip, local_port, remote_ip, remote_port) mote_lwip_random()

/* Before lwIP looks at a segment: the handshake is lwip_handshake.cpp's. */
#define LWIP_HOOK_TCP_INPACKET_PCB(pcb, header, options, first, second, data) \
  mote_lwip_look(pcb, header, options, data)

/* ---- Memory: fixed, and each pool large enough for all connections at once ---- */

#define MEM_LIBC_MALLOC 0
#define MEMP_MEM_MALLOC 0
#define MEM_ALIGNMENT __SIZEOF_POINTER__

/* Connections that were closed and still wait for the other end's good-bye: taken from the oldest when there is none
   left for a new one. */
#define MOTE_LWIP_CLOSING 3
#define MEMP_NUM_TCP_PCB (MOTE_LWIP_CONNECTIONS + MOTE_LWIP_CLOSING)
#define MEMP_NUM_TCP_PCB_LISTEN 2
#define MEMP_NUM_TCP_SEG (MOTE_LWIP_CONNECTIONS * TCP_SND_QUEUELEN + MOTE_LWIP_CLOSING)
/* An application with UDP ports of its own defines a larger number. */
#ifndef MEMP_NUM_UDP_PCB
#define MEMP_NUM_UDP_PCB (MOTE_LWIP_DHCP + MOTE_LWIP_MDNS + MOTE_LWIP_SNTP + 2 * MOTE_LWIP_DNS)
#endif
/* mDNS has six: the next probe or announcement, an answer to one and to all, and how soon the next of three kinds may
   be. lwIP demands those of its periodic timers, which lwip_timers.cpp runs without them. */
#define MEMP_NUM_SYS_TIMEOUT (LWIP_NUM_SYS_TIMEOUT_INTERNAL + (3 - 2 * MOTE_LWIP_DHCP) * MOTE_LWIP_MDNS)
#define MEMP_NUM_PBUF 4 /* pieces that point elsewhere: of an ARP or ICMP answer */

/* Frames that were received: each is looked at, copied and freed before the next is taken from the interface. */
#define PBUF_POOL_SIZE 2
#define PBUF_POOL_BUFSIZE ((MOTE_LWIP_MTU + 14 + ETH_PAD_SIZE + 3) / 4 * 4)

/* What is to be sent lies in a fixed array of lwIP's own (mem.c): for each connection what it may have on its way, with
   the headers of its segments and what lwIP notes about each piece (lwip_tcp.cpp checks it); and a little for who says
   good-bye or is answered without having a connection. When it is full a write takes nothing: the transport asks again.
   What mDNS knows, 0.7 KB, is there as well: a connection that waits for its turn sends nothing, and its part is
   free. */
#if __SIZEOF_POINTER__ > 4
#define MOTE_LWIP_PIECE 96
#else
#define MOTE_LWIP_PIECE 84
#endif
#define MOTE_LWIP_SENDING (TCP_SND_BUF + TCP_SND_QUEUELEN * MOTE_LWIP_PIECE)
#define MEM_SIZE (MOTE_LWIP_CONNECTIONS * MOTE_LWIP_SENDING + 4 * MOTE_LWIP_PIECE)

/* lwIP's rule is for pools that hold what an application has not read yet; here that is in its TcpConnection. And the
   sum of the pools is checked above. */
#define LWIP_DISABLE_TCP_SANITY_CHECKS 1
