package io.bloomgate.config.name;

/**
 * What can be asked of a list: an address of the networks, a name and its parents of two or more
 * labels, a mail address as a whole; the domain of a mail address is a separate key. Immutable; the
 * text of a key is its canonical one.
 */
public sealed interface ListKey permits IpAddress, DomainName, MailAddress {}
