package io.bloomgate.architecture.broken.blocklists.content;

import io.bloomgate.architecture.broken.blocklists.fleet.RedisStub;

/** Breaks: the content of mails is read without knowing of lists. */
public record AsksLists(RedisStub lists) {}
