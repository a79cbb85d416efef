"""How people ask about themselves: a predicate, and questions that ask for it. `personal.py` reads them as data."""

PHRASINGS: dict[str, str] = {
    "lives_in": """
        where do I live | where do I reside | where is my home | what is my address | what is my home address
        which city do I live in | what town do I live in | where is my house | where is my place | where am I living
        where am I based | where do I call home | what is the address where I live | where am I located
        what is the address of my home | what place do I live in | what is my street address | what is my residence
        what is my place of residence | what is my current city | where is my flat | what is my postal address
        where do I stay | what is the place where I live | which place do I call home | what is the city I live in
    """,
    "born_in": """
        where was I born | what is my birthplace | what is my place of birth | which city was I born in
        what town was I born in | in which country was I born | where is my birthplace | what is my birth place
    """,
    "from": """
        where am I from | where do I come from | what is my hometown | where is my hometown | where did I grow up
        where was I raised | which town did I grow up in | what city am I from | what town am I from
        which city did I grow up in | where am I originally from | where do I originally come from
        what city do I come from | what town do I come from
    """,
    "birthday": """
        on what day is my birthday | on which date is my birthday | on what day was I born
        when is my birthday | when was I born | what is my birthday | what is my date of birth | what is my birth date
        what day was I born | on which date was I born | what date is my birthday | what day is my birthday
        which day is my birthday on | when do I celebrate my birthday | what is my bday | when is my bday
        what is my birthdate | what date was I born on | when is my date of birth | when do I have my birthday
        what is the date of my birthday | what is the date of my birth
    """,
    "age": """
        how old am I | what is the age of my dog | what is my age | how many years old am I | what age am I
    """,
    "name": """
        what is my name | what am I called | what do people call me | what is my full name | who am I
        how am I called | what is my first name | what name do I go by | what name do I have
        what is the name I go by
        who is my sister | what is my sister called | what is the name of my sister | what did I name my dog
        what did I call my dog | how is my sister called | what name does my dog have | what is my dog named
        which doctor is my doctor | what name did I give my dog
    """,
    "works_at": """
        where do I work | who do I work for | who is my employer | what company do I work for | where am I employed
        what is my workplace | where is my workplace | which company am I employed by | who employs me
        where is my job | which firm do I work for | what is my employer | which company do I work at
        what is the name of my company | what is my company | which company employs me
        what is the company I work for | what is the name of my employer | which organization do I work for
        what company am I at | what place do I work at | what is my place of work | where do I have my job
        what is the name of the company I work for | who is it that I work for | what company pays my salary
    """,
    "job": """
        what is my job | what do I do for a living | what is my occupation | what is my profession | what do I work as
        what is my job title | what is my role at work | what kind of work do I do | what is my line of work
        how do I earn my living | how do I make my living | what is my role | what type of work do I do
        what sort of job do I have | what job do I have | what job do I do | what is my career | what is my position
        what do I do for work | what am I by profession | what kind of job do I have | what work do I do
        what do I do at work | what is my trade | what is the job I have | what title do I have at work
        what line of work am I in | what is my position at work | what is my day job | what is my current position
    """,
    "phone": """
        what is my phone number | what is my mobile number | what is my telephone number | what is my cell number
        what number can I be called at | what is my number | how can I be reached by phone
        what is my cell phone number
        what is my contact number | what is the number of my phone | what number is my phone
        on which number can I be called
    """,
    "email": """
        what is my email | what is my email address | what is my e-mail address | what is my e-mail
        which email address do I use | what email do I use | what email do I have | what email address do I have
    """,
    "allergic_to": """
        what am I allergic to | what are my allergies | do I have any allergies | am I allergic to anything
        which allergies do I have | what foods am I allergic to | what food am I allergic to
        what allergies do I suffer from
        what is my allergy | what allergies do I have | what things am I allergic to | am I allergic to something
        do I have an allergy | what kind of allergies do I have | is there anything I am allergic to
        is there something I am allergic to | do I suffer from any allergies | which foods am I allergic to
    """,
    "hobby": """
        what are my hobbies | what do I do for fun | what do I do in my free time | what do I like to do for fun
        what do I do in my spare time | how do I spend my free time | what do I like to do in my free time
        what do I enjoy doing in my free time | what hobbies do I have | what are my interests | what is my hobby
        how do I like to spend my free time | what do I do in my leisure time | which hobbies do I have
        what are my pastimes | how do I spend my spare time | what do I like doing in my spare time
        what are my favourite pastimes
        what do I do for leisure | what do I enjoy doing for fun | what do I like doing for fun
        what do I do when I am not working | what activities do I enjoy | what am I interested in
    """,
    # Whoever stands to me as someone does is asked for by name: "who is my sister" is "what is my sister's name".
    "my spouse.name": "who am I married to | who did I marry | what is the name of the person I married",
    "my boss.name": """
        who do I report to | who am I reporting to | to whom do I report | who manages me | who supervises me
        who do I answer to at work | who is in charge of me at work
    """,
    "my doctor.name": "which doctor do I go to | which doctor do I see | what doctor am I with",
    "my dentist.name": "which dentist do I go to | which dentist do I see | what dentist am I with",
    "likes": "what do I like | what do I love | what do I enjoy | what do I like doing | what am I fond of",
    "siblings": """
        how many siblings do I have | how many brothers and sisters do I have | what is the number of my siblings
        how many brothers or sisters do I have | what number of siblings do I have
    """,
    "children": """
        how many children do I have | how many kids do I have | what number of kids do I have
        what is the number of my children | what is the number of children I have
    """,
    "height": """
        how tall am I | what is my height | how high am I | what height am I | how many centimetres tall am I
    """,
    "weight": "how much do I weigh | what is my weight | what do I weigh | how heavy am I | what weight am I",
    "drives": """
        what car do I drive | what kind of car do I have | what is my car | which car do I own | what do I drive
        what type of car do I drive | what model is my car | what make is my car | what brand is my car
        what kind of car do I drive | what vehicle do I drive | what make of car do I drive
        what sort of car do I have
        what is the model of my car | what car do I have | what make and model is my car
        what model of car do I drive
        what is the make of my car | what brand of car do I drive | which car am I driving | what am I driving
        what vehicle do I have | what is the brand of my car
    """,
    "speaks": """
        what languages do I speak | which languages do I know | what languages can I speak | what do I speak
        which languages am I fluent in | what languages am I able to speak | what are my languages
        in which languages am I fluent | what languages do I understand | what languages do I use
        what languages can I talk in
    """,
    "studies": """
        what do I study | what am I studying | what is my major | what subject do I study
        what is my field of study | what am I majoring in | what degree am I doing | which subject am I studying
        what is my course of study | what degree am I studying for | what subject am I majoring in
    """,
    "studied": "what did I study | what was my major | what did I major in | what subject did I study",
    "studied_at": """
        where did I go to university | which university did I attend | where did I study | what is my alma mater
        where did I graduate from | which college did I go to | which college did I graduate from
        where did I get my degree | where did I attend college | what university did I study at
        at which university did I graduate | which school did I graduate from | where did I do my degree
        from which university did I graduate
    """,
    "salary": """
        what is my salary | how much do I earn | how much money do I make | what do I earn | how much do I make
        how much am I paid | what is my income | how much do I get paid | how much is my salary | what is my pay
        what am I paid | how high is my salary | how much do I make a year | how much do I earn a year
        what do I get paid | how big is my salary | what is my yearly salary | what is my annual salary
    """,
    "rent": """
        how much rent do I pay | what is my rent | how much is my rent | how high is my rent | what do I pay for rent
        how much do I pay for rent | what rent do I pay | how much is the rent I pay | what does my rent cost
        what is my monthly rent | how much does my rent cost | how much do I pay in rent | what is the rent I pay
        how much rent do I pay a month | how much is my monthly rent
    """,
    "medication": """
        what medication do I take | what medicine do I take | what pills do I take | which medications am I on
        what are my medications | what drugs do I take | what medication am I taking | what is my medication
        what prescriptions do I have | what am I prescribed | what pills am I on | what tablets do I take
        which prescriptions am I on | what are my prescriptions | what drugs am I on | do I take any medication
        am I on any medication | what meds am I supposed to take | which medicine was I prescribed
    """,
    "blood_type": """
        what is my blood type | what blood type am I | what blood group do I have | what is my blood group
        which type of blood do I have | what type is my blood | what type of blood do I have
    """,
    "time_zone": """
        what time zone am I in | what is my time zone | which timezone do I live in | what is my timezone
        which time zone do I live in | in which timezone am I
    """,
    "has_pet": """
        what pets do I have | do I have any pets | which pets do I own | what animals do I have
        what kind of pet do I have
        what pet do I have | do I have a pet | do I own any pets | what are my pets | which animals do I own
        do I own a pet | what animals do I keep | what animals live with me | do I keep any animals
    """,
    "nickname": """
        what is my nickname | what nickname do I have | what nickname do I go by
        do I have a nickname
    """,
    "nationality": """
        what is my nationality | what is my citizenship | which country am I a citizen of | what passport do I have
        what nationality am I | which passport do I hold | what citizenship do I have
        which country's passport do I have
        what nationality do I have | of which country am I a citizen
    """,
    "shoe_size": """
        what is my shoe size | what size shoes do I wear | what size are my shoes | which shoe size do I have
        what shoe size do I wear | what size are my feet | what size shoe do I take | what shoe size am I
        what is the size of my shoes | what size shoes do I need | how big are my feet | what shoe size do I need
    """,
    "eye_colour": """
        what colour are my eyes | what is my eye colour | what eye colour do I have | what is the colour of my eyes
    """,
    "hair_colour": """
        what colour is my hair | what is my hair colour | what hair colour do I have | what is the colour of my hair
    """,
    "commute": """
        how do I get to work | how do I commute | how do I travel to work | how do I go to work | what is my commute
        how do I commute to work | what is my way to work | how do I get to the office | how do I go to the office
        how do I get to my job | what transport do I take to work | how do I travel to the office
    """,
    "wakes_at": """
        when do I wake up | what time do I get up | when do I get up | what time do I wake up | when do I rise
        when do I get up in the morning | at what time do I wake up in the morning | when does my alarm go off
        what time is my alarm set for | for when is my alarm set | when does my alarm ring | what time is my alarm
    """,
    "bedtime": """
        when do I go to bed | what time do I go to sleep | when do I sleep | what is my bedtime | when is my bedtime
        when do I go to bed at night | when do I fall asleep | what time do I go to sleep at night | when do I turn in
    """,
    "wedding": """
        when is my anniversary | when did I get married | when is my wedding anniversary | what is my wedding date
        what is my anniversary | what day did I get married | when was my wedding | what is the date of my wedding
        when did I marry | what date did I get married | what is my wedding anniversary | what is my wedding day
        what was my wedding date | what is my anniversary date | what date is my anniversary
    """,
    "project": """
        what am I working on | what project am I working on | what is my current project | what is my project
        which project am I on | what is the project I am working on | what do I work on
        what is my current project at work | what project do I work on
    """,
    "goal": """
        what are my goals | what do I want to achieve | what am I trying to achieve | what goals do I have
        what are my aims | what are my objectives | what is my goal | what is my aim | what goals did I set
        which goals have I set | what goals have I set for myself | what am I aiming for
    """,
    "diet": """
        what is my diet | what diet do I follow | what kind of diet am I on | what diet am I on | which diet do I have
        what do I eat | what kind of diet do I follow | what are my eating habits | do I follow a diet
    """,
    "plate": """
        what is my license plate | what is my licence plate number | what is my plate number | what is my number plate
        what is my car's registration | what is the registration number of my car | what is my car registration
        what is the license plate of my car | what is my car's license plate | what is my registration number
        what is my car's plate number | what is my car's number plate
    """,
    "team": """
        which team do I support | what football team do I support | what is my team | which club do I support
        what is my football team
        what team am I a fan of | which football club do I support | what is my favourite team
        what team do I root for
        what is my favourite football team | which team do I cheer for | which soccer team do I support
    """,
    "instrument": """
        what instrument do I play | which instruments do I play | what musical instrument do I play
        what is my instrument
        do I play an instrument | do I play any instruments | what instrument can I play | what instruments can I play
        do I play a musical instrument | which musical instruments can I play
    """,
    "sport": """
        what sport do I play | which sports do I do | what sports do I play | what is my sport | do I play any sports
        what kind of sport do I do | do I do any sport | what sports am I into
    """,
    "wifi_password": """
        what is my wifi password | what is the password of my wifi | what is the password for my wifi
        what is my wifi code
        what is my wireless password | what is the key of my wifi | what is my wi-fi password
        what is the password to my wifi
        what is the wifi password at my home | what is my home wifi password
    """,
    "coffee": """
        how do I take my coffee | how do I like my coffee | how do I drink my coffee | how do I want my coffee
        what kind of coffee do I drink | what coffee do I drink | what is my coffee order | what coffee do I order
        how do I usually take my coffee | how do I have my coffee | what coffee do I like | which coffee do I like
    """,
}  # fmt: skip

# Predicates that take a thing: the words that are left over are the thing.
TAKING: dict[str, str] = {
    "favorite": """
        what is my favourite | what do I like best | what do I like most | what do I love most | what do I prefer
        what do I enjoy most | what is my preferred | what is my favourite kind of
        what is my favourite type of | which do I love best | what am I most fond of
    """,
    "dislikes": "what do I hate | what do I dislike | what can I not stand | what do I not like",
}  # fmt: skip
