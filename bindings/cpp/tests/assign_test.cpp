// Range assignment as seen through the binding; the corpus proves the codec and the division.
#include "throws.hpp"

#include <eventbroker/assign.hpp>

#include <memory>
#include <sstream>

namespace {

using eventbroker::assign::Assigned;
using eventbroker::assign::Assignment;
using eventbroker::assign::Member;
using eventbroker::assign::range_assign;
using eventbroker::assign::Subscription;
using eventbroker::assign::TopicPartitions;
using namespace std::string_literals;

const std::string full_bytes = "\0\3"
                               "\0\0\0\2\0\1a\0\5pay\xc3\xa9"
                               "\0\0\0\2\0\xff"
                               "\0\0\0\1\0\1b\0\0\0\3\0\0\0\0\xff\xff\xff\xff\x7f\xff\xff\xff"
                               "\0\0\0\7"
                               "\0\4rack"s;
const Subscription full = {3, {"a", "pay\xc3\xa9"}, "\0\xff"s, {{"b", {0, -1, 2147483647}}}, 7, "rack"};

template <typename Value>
std::string printed(const Value &value) {
    std::ostringstream out;
    out << value;
    return out.str();
}

TEST(Assign, ASubscriptionOfEveryVersion) { // RA-01, RA-03
    EXPECT_EQ(Subscription::decode(full_bytes), full);
    EXPECT_EQ(full.encode(), full_bytes);
    Subscription older = full;
    for (const auto &[version, size] : std::map<std::int16_t, std::size_t>{{0, 22}, {1, 45}, {2, 49}, {3, 55}}) {
        older.version = version;
        EXPECT_EQ(older.encode(), "\0"s + static_cast<char>(version) + full_bytes.substr(2, size - 2));
        Subscription want = version == 0 ? Subscription{0, full.topics, full.user_data} : older;
        want.generation_id = version >= 2 ? 7 : -1;
        want.rack_id = version >= 3 ? std::optional("rack"s) : std::nullopt;
        EXPECT_EQ(Subscription::decode(older.encode()), want);
    }
}

TEST(Assign, ADefaultSubscriptionSaysNothing) {
    EXPECT_EQ(Subscription().encode(), "\0\0\0\0\0\0\xff\xff\xff\xff"s);
    EXPECT_EQ(Subscription::decode("\0\0\0\0\0\0\xff\xff\xff\xff"s), Subscription());
    EXPECT_EQ(Assignment().encode(), "\0\0\0\0\0\0\xff\xff\xff\xff"s);
    EXPECT_EQ(Assignment::decode("\0\0\0\0\0\0\xff\xff\xff\xff"s), Assignment());
}

TEST(Assign, NoneIsNotEmpty) {
    Subscription s{3, {""}};
    for (const auto &text : {std::optional<std::string>(), std::optional(""s)}) {
        s.user_data = s.rack_id = text;
        EXPECT_EQ(Subscription::decode(s.encode()), s);
        const Assignment a{0, {{"", {}}}, text};
        EXPECT_EQ(Assignment::decode(a.encode()), a);
    }
}

TEST(Assign, StringsAndListsOfEveryLengthComeBack) { // a word has 8 bytes
    for (std::size_t size = 0; size < 33; ++size) {
        const std::string text(size, 'x');
        const std::vector<std::int32_t> partitions(size, -7);
        const Subscription s{3, {text, "y"}, text, {{text, partitions}, {"z", {1}}}, 1, text};
        EXPECT_EQ(Subscription::decode(s.encode()), s);
        const Assignment a{3, {{text, partitions}, {"z", {1}}}, text};
        EXPECT_EQ(Assignment::decode(a.encode()), a);
    }
}

TEST(Assign, AnAssignment) {
    const std::string bytes = "\0\1\0\0\0\1\0\1t\0\0\0\2\0\0\0\0\0\0\0\1\0\0\0\0"s;
    const Assignment want{1, {{"t", {0, 1}}}, ""};
    EXPECT_EQ(Assignment::decode(bytes), want);
    EXPECT_EQ(want.encode(), bytes);
}

TEST(Assign, ALargeMessageGrowsItsBuffer) {
    const Subscription s{0, std::vector<std::string>(10, std::string(32767, 't')), std::string(1 << 20, '\0')};
    EXPECT_EQ(Subscription::decode(s.encode()), s);
}

TEST(Assign, MalformedBytesAreRefusedWhereverTheyEnd) { // RA-02
    for (std::size_t size = 0; size < full_bytes.size(); ++size) {
        const auto exact = std::make_unique<char[]>(size); // where AddressSanitizer sees a byte too many
        full_bytes.copy(exact.get(), size);
        const auto decode = [&] { (void)Subscription::decode(std::string_view(exact.get(), size)); };
        if (size == 22 || size == 45 || size == 49) { // a writer may stop there
            EXPECT_NO_THROW(decode());
        } else {
            EXPECT_TRUE(refuses("bytes", decode)) << size;
        }
    }
    EXPECT_EQ(
        thrown<std::invalid_argument>([] { (void)Assignment::decode("\0\0\x7f\xff\xff\xff"s); }),
        "invalid argument: bytes: partitions count 2147483647 at byte 2 needs 12884901882 bytes or more but has 0");
    EXPECT_TRUE(refuses("bytes", [] { (void)Subscription::decode("\xff\xff"s); }));
    EXPECT_TRUE(refuses("bytes", [] { (void)Subscription::decode(""); }));
    EXPECT_TRUE(refuses("bytes", [] { (void)Subscription::decode(std::string_view()); }));
}

TEST(Assign, WhatCannotBeWrittenIsRefused) { // RA-03
    EXPECT_TRUE(refuses("subscription", [] { (void)Subscription{4}.encode(); }));
    EXPECT_TRUE(refuses("subscription", [] { (void)Subscription{-1}.encode(); }));
    EXPECT_TRUE(refuses("subscription", [] { (void)Subscription{0, {std::string(32768, 't')}}.encode(); }));
    EXPECT_TRUE(refuses("subscription", [] { (void)Subscription{0, {"\xff"}}.encode(); }));
    EXPECT_TRUE(refuses("assignment", [] { (void)Assignment{4}.encode(); }));
    EXPECT_TRUE(refuses("assignment", [] { (void)Assignment{0, {{"\xff", {}}}}.encode(); }));
}

TEST(Assign, RangeDividesTopicByTopic) { // RA-04, RA-05
    const Assigned want = {
        {"static", {{"a", {0, 1, 2}}}}, {"m1", {{"a", {3, 4}}, {"b", {0}}}}, {"m2", {{"a", {5, 6}}}}, {"idle", {}}};
    EXPECT_EQ(range_assign(
                  {{"a", 7}, {"b", 1}, {"c", 0}, {"unwanted", 3}},
                  {{"m2", {"a", "b", "missing"}}, {"m1", {"a", "b", "a", "c"}}, {"static", {"a"}, "i"}, {"idle", {}}}),
              want);
    EXPECT_EQ(range_assign({}, {}), Assigned());
}

TEST(Assign, RangeOfManyPartitions) {
    const Assigned assigned = range_assign({{"t", 100001}}, {{"a", {"t"}}, {"b", {"t"}}});
    EXPECT_EQ(assigned.at("a").at("t").size(), 50001U);
    EXPECT_EQ(assigned.at("b").at("t").front(), 50001);
    EXPECT_EQ(assigned.at("b").at("t").back(), 100000);
}

TEST(Assign, RangeNamesWhatIsWrong) { // RA-06
    EXPECT_TRUE(refuses("partitions_by_topic", [] { (void)range_assign({{"t", -1}}, {}); }));
    EXPECT_TRUE(refuses("partitions_by_topic", [] { (void)range_assign({{"t", 10000001}}, {}); }));
    EXPECT_TRUE(refuses("partitions_by_topic", [] { (void)range_assign({{"t", 10000000}, {"u", 1}}, {}); }));
    EXPECT_TRUE(refuses("partitions_by_topic", [] { (void)range_assign({{"t", std::int64_t{1} << 32}}, {}); }));
    EXPECT_TRUE(refuses("partitions_by_topic", [] { (void)range_assign({{"\xff", 1}}, {}); }));
    EXPECT_TRUE(refuses("members", [] { (void)range_assign({}, {{"a", {}}, {"a", {}}}); }));
    EXPECT_TRUE(refuses("members", [] { (void)range_assign({}, {{"", {}}}); }));
    EXPECT_TRUE(refuses("members", [] { (void)range_assign({}, {{"a", {}, "i"}, {"b", {}, "i"}}); }));
    EXPECT_TRUE(refuses("members", [] { (void)range_assign({}, {{"a", {}, ""}}); }));
    EXPECT_TRUE(refuses("members", [] { (void)range_assign({}, {{"a", {"\xff"}}}); }));
    EXPECT_EQ(range_assign({{"t", 10000000}}, {}), Assigned()) << "the limit itself";
}

TEST(AssignValue, ComparesByEveryField) {
    const TopicPartitions owned{"t", {1}};
    EXPECT_TRUE(owned == (TopicPartitions{"t", {1}}));
    EXPECT_TRUE(owned != (TopicPartitions{"u", {1}}));
    EXPECT_TRUE(owned != (TopicPartitions{"t", {2}}));
    const Member member{"m", {"t"}, "i"};
    EXPECT_TRUE(member == (Member{"m", {"t"}, "i"}));
    EXPECT_TRUE(member != (Member{"n", {"t"}, "i"}));
    EXPECT_TRUE(member != (Member{"m", {}, "i"}));
    EXPECT_TRUE(member != (Member{"m", {"t"}}));
    const Assignment assignment{1, {owned}, "u"};
    EXPECT_TRUE(assignment == (Assignment{1, {owned}, "u"}));
    EXPECT_TRUE(assignment != (Assignment{0, {owned}, "u"}));
    EXPECT_TRUE(assignment != (Assignment{1, {}, "u"}));
    EXPECT_TRUE(assignment != (Assignment{1, {owned}}));
}

TEST(AssignValue, ASubscriptionComparesByEveryField) {
    EXPECT_FALSE(full != Subscription(full));
    const auto differs = [](auto change) {
        Subscription other = full;
        change(other);
        return full != other && !(full == other);
    };
    EXPECT_TRUE(differs([](Subscription &s) { s.version = 2; }));
    EXPECT_TRUE(differs([](Subscription &s) { s.topics.pop_back(); }));
    EXPECT_TRUE(differs([](Subscription &s) { s.user_data.reset(); }));
    EXPECT_TRUE(differs([](Subscription &s) { s.owned_partitions.clear(); }));
    EXPECT_TRUE(differs([](Subscription &s) { s.generation_id = 8; }));
    EXPECT_TRUE(differs([](Subscription &s) { s.rack_id.reset(); }));
}

TEST(AssignValue, Prints) {
    EXPECT_EQ(printed(TopicPartitions{"orders", {0, 1}}), "TopicPartitions(\"orders\", [0, 1])");
    EXPECT_EQ(printed(Subscription{3, {"a", "b"}, std::nullopt, {{"a", {0}}}, 7, "rack"}),
              "Subscription(3, [\"a\", \"b\"], null, [TopicPartitions(\"a\", [0])], 7, \"rack\")");
    EXPECT_EQ(printed(Assignment{0, {}, "data"}), "Assignment(0, [], \"data\")");
    EXPECT_EQ(printed(Member{"m1", {"orders"}}), "Member(\"m1\", [\"orders\"], null)");
}

} // namespace
