package io.bloomgate.blocklists.campaign;

import java.time.Instant;

/**
 * A mail that was sent to many, for {@code top --by campaign}. Numbers are about right (10 %) and
 * of the last window, at least of five sixths of it. Immutable.
 *
 * @param campaign 8 hexadecimal digits of one of its keys: the same while the gateway runs
 * @param copies that were recognised
 * @param networks of clients
 * @param senders domains of envelope senders, where none is one
 * @param recipients mail addresses
 * @param first copy from which on the others were counted
 * @param last copy
 * @param session id of the first one's session, with which {@code block add --like} makes an entry;
 *     empty while all copies came to other nodes of a fleet
 */
public record Campaign(
    String campaign,
    int copies,
    int networks,
    int senders,
    int recipients,
    Instant first,
    Instant last,
    String session) {}
